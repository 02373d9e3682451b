package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.client.deployment.executors.PipelineExecutorUtils;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobStatusChangedListenerUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.lineage.LineageDataset;
import org.apache.flink.streaming.api.lineage.LineageEdge;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's listeners of lineage see which topics a job reads, and which it writes from them. */
class LineageTest {
    private static final String OPEN_LINEAGE =
            "io.openlineage.flink.listener.OpenLineageJobStatusChangedListenerFactory";

    private static StreamGraph graph() {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers", "kafka:9092,other:9092", "--partitions", "4", "--topic-prefix", "g.");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", 1);
        PartitionJob.build(
                env,
                LivePartitionJob.request(options, new LiveTopics.Start(Map.of(), Map.of(), Duration.ofMinutes(15))));

        return env.getStreamGraph();
    }

    @Test
    void listenersSeeThatEdgesBecomeShards() {
        List<LineageEdge> relations = graph().getLineageGraph().relations();

        assertThat(relations.stream().map(LineageTest::text))
                .contains(
                        "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.shards",
                        "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.dead-letters");
    }

    /**
     * The jar of OpenLineage has 34 MB, so profile {@code openlineage} brings it: {@code ./mvnw -Popenlineage -pl
     * flink-jobs -am test -Dtest=LineageTest}.
     */
    @Test
    void openLineageWritesTheTopicsToItsFile(@TempDir Path folder) throws Exception {
        assumeTrue(
                getClass().getResource("/" + OPEN_LINEAGE.replace('.', '/') + ".class") != null,
                "OpenLineage is not on the class path");
        Path file = folder.resolve("events.ndjson");
        Configuration configuration = Configuration.fromMap(Map.of(
                "execution.job-status-changed-listeners",
                OPEN_LINEAGE,
                "openlineage.transport.type",
                "file",
                "openlineage.transport.location",
                file.toString()));
        StreamGraph graph = PipelineExecutorUtils.getStreamGraph(graph(), configuration);

        PipelineExecutorUtils.notifyJobStatusListeners(
                graph,
                graph,
                JobStatusChangedListenerUtils.createJobStatusChangedListeners(
                        getClass().getClassLoader(), configuration, Runnable::run));

        JsonNode event = new ObjectMapper().readTree(Files.readAllLines(file).get(0));
        assertThat(names(event.path("inputs"))).contains("kafka://kafka:9092 g.edges");
        assertThat(names(event.path("outputs"))).contains("kafka://kafka:9092 g.shards");
    }

    private static List<String> names(JsonNode datasets) {
        List<String> names = new ArrayList<>();
        datasets.forEach(dataset -> names.add(
                dataset.path("namespace").asText() + " " + dataset.path("name").asText()));
        return names;
    }

    private static String text(LineageEdge relation) {
        return text(relation.source()) + " > " + text(relation.sink());
    }

    private static String text(LineageVertex vertex) {
        LineageDataset dataset = vertex.datasets().get(0);
        return dataset.namespace() + " " + dataset.name();
    }
}
