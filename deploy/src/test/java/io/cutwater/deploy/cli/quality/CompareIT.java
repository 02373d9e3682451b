package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comparison in memory gives the results of the job on embedded Flink. */
class CompareIT {
    private static final int EDGES = 5_000;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({"hdrf, live", "cutwater, live", "cutwater, bulk", "greedy, bulk", "sigma-edge, bulk"})
    void anEdgeAlgorithmPlacesAsThePartitionCommandDoes(String algorithm, String passes) throws IOException {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.growingCommunities(20, 7).fill(edges, EDGES);
        List<String> lines = IntStream.range(0, EDGES)
                .mapToObj(i -> edges.source(i) + " " + edges.target(i))
                .toList();
        Path graph = Files.write(folder.resolve("graph.txt"), lines);
        String options = " --edges %s --partitions 8 --passes %s --json".formatted(graph, passes);

        JsonNode compared =
                report("compare --algorithms " + algorithm + options).path(0);
        JsonNode partitioned =
                report("partition --algorithm %s --out %s".formatted(algorithm, folder.resolve("out")) + options);

        assertThat(compared.path("edges").longValue()).isEqualTo(EDGES);
        assertThat(compared.path("passes").textValue()).isEqualTo(passes);
        for (String key : List.of(
                "algorithm",
                "kind",
                "partitions",
                "seed",
                "vertices",
                "edges",
                "deadLetters",
                "replicationFactor",
                "edgeBalance",
                "vertexBalance",
                "perPartition")) {
            assertThat(compared.get(key)).as(key).isEqualTo(partitioned.get(key));
        }
    }

    private static JsonNode report(String line) throws IOException {
        CommandRun run = CommandRun.of(Cutwater::run, line.split(" ", -1));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }
}
