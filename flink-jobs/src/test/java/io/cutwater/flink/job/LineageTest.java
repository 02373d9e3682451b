package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.flink.client.JobSubmission;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.testkit.FlinkCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.JobStatusChangedListener;
import org.apache.flink.core.execution.JobStatusChangedListenerFactory;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.lineage.LineageDataset;
import org.apache.flink.streaming.api.lineage.LineageEdge;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.runtime.execution.JobCreatedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's listeners of lineage see which topics a job reads, and which it writes from them. */
class LineageTest {
    private static final String LISTENERS = DeploymentOptions.JOB_STATUS_CHANGED_LISTENERS.key();
    private static final String OPEN_LINEAGE =
            "io.openlineage.flink.listener.OpenLineageJobStatusChangedListenerFactory";

    /** What {@link Recorder} was told. */
    private static final List<JobCreatedEvent> EVENTS = new CopyOnWriteArrayList<>();

    /** Listens as one of Flink's users would. */
    public static final class Recorder implements JobStatusChangedListenerFactory {
        @Override
        public JobStatusChangedListener createListener(Context context) {
            return event -> {
                if (event instanceof JobCreatedEvent created) {
                    EVENTS.add(created);
                }
            };
        }
    }

    private static StreamExecutionEnvironment job() {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers", "kafka:9092,other:9092", "--partitions", "4", "--topic-prefix", "g.");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", 1);
        PartitionJob.build(
                env,
                LivePartitionJob.request(
                        options, new LiveTopics.Start(Map.of(), Map.of(), Duration.ofMinutes(15), null, 1)));
        return env;
    }

    /** Submits a job, whose broker does not exist, as {@code ./cutwater submit} does. */
    private static void submit(Map<String, String> configuration) throws Exception {
        try (FlinkCluster cluster = FlinkCluster.start(new Configuration(), 1)) {
            JobSubmission.submit(
                    job(),
                    "partition",
                    FlinkAddress.parse("127.0.0.1:" + cluster.endpoint().getPort()),
                    FlinkCredentials.NONE,
                    JobSubmission.listeners(Configuration.fromMap(configuration)));
        }
    }

    @Test
    void listenersOfTheClientSeeThatEdgesBecomeShards() throws Exception {
        submit(Map.of(LISTENERS, Recorder.class.getName()));

        assertThat(EVENTS)
                .singleElement()
                .satisfies(event -> assertThat(
                                event.lineageGraph().relations().stream().map(LineageTest::text))
                        .contains(
                                "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.shards",
                                "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.dead-letters"));
        assertThatThrownBy(() -> JobSubmission.listeners(Configuration.fromMap(Map.of(LISTENERS, "no.such.Class"))))
                .hasMessageContaining("no.such.Class", "CUTWATER_CLASSPATH");
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

        submit(Map.of(
                LISTENERS,
                OPEN_LINEAGE,
                "openlineage.transport.type",
                "file",
                "openlineage.transport.location",
                file.toString()));

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
