package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The examples, run from an unpacked distribution by a shell that has the usual programs and no Maven. */
@Timeout(600)
final class ExamplesIT {
    private static final List<String> TOOLS =
            List.of("sh", "awk", "cat", "dirname", "env", "grep", "head", "mkdir", "readlink", "sed", "sleep");

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder;

    private static CleanMachine machine;
    private static Path examples;

    @BeforeAll
    static void unpack() throws Exception {
        Path home = CleanMachine.unpack(folder);
        examples = home.resolve("deploy/examples");
        machine = new CleanMachine(folder, home, TOOLS);
    }

    private static JsonNode json(String file) throws IOException {
        return JSON.readTree(folder.resolve(file).toFile());
    }

    private static String[] onFreePorts(String script, String into) throws IOException {
        int[] ports = FreePorts.find(5);
        List<String> command = new ArrayList<>(List.of(examples.resolve(script).toString(), into));
        command.addAll(List.of("--broker-port", "" + ports[0], "--controller-port", "" + ports[1]));
        command.addAll(List.of("--flink-port", "" + ports[2], "--jobmanager-port", "" + ports[3]));
        command.addAll(List.of("--metrics-ports", "" + ports[4]));
        return command.toArray(String[]::new);
    }

    @Test
    void citationsAreClassified() throws Exception {
        machine.run(examples.resolve("citations.sh").toString());

        assertThat(json("citations/training.json").path("testAccuracy").asDouble())
                .isGreaterThan(0.5); // a third is a guess
        assertThat(Files.readAllLines(folder.resolve("citations/predictions/predictions.csv")))
                .hasSize(1 + 3_000);
        assertThat(folder.resolve("citations/quality.svg")).isNotEmptyFile();
    }

    @Test
    void paymentsMoveToMorePartitions() throws Exception {
        machine.run(onFreePorts("payments.sh", "payments"));

        // The shard exists only since the re-partitioning. The script itself fails if an edge is missing or doubled.
        assertThat(Files.readAllLines(folder.resolve("payments/shard-5/edges.csv")))
                .hasSizeGreaterThan(1_000);
    }

    @Test
    void aForeignPartitioningIsJudgedLikeOursAndTakenOver() throws Exception {
        String out = machine.run(onFreePorts("metis.sh", "metis"));

        assertThat(json("metis/foreign.json").path("edgeCutRatio").asDouble()).isBetween(0.001, 0.2);
        assertThat(json("metis/foreign.json").path("edges").asLong())
                .isEqualTo(json("metis/ours.json").path("edges").asLong());
        assertThat(out)
                .contains("shards:  "
                        + json("metis/ours.json").path("edgeCutRatio").asText());
        assertThat(json("metis/live.json").at("/jobs/0/edgeCutRatio").asDouble())
                .isEqualTo(json("metis/foreign.json").path("edgeCutRatio").asDouble());
    }
}
