package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.lineage.LineageDataset;
import org.apache.flink.streaming.api.lineage.LineageEdge;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.junit.jupiter.api.Test;

/** Flink's listeners of lineage see which topics a job reads, and which it writes from them. */
class LineageTest {
    @Test
    void listenersSeeThatEdgesBecomeShards() {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers", "kafka:9092,other:9092", "--partitions", "4", "--topic-prefix", "g.");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", 1);
        PartitionJob.build(
                env,
                LivePartitionJob.request(options, new LiveTopics.Start(Map.of(), Map.of(), Duration.ofMinutes(15))));

        List<LineageEdge> relations = env.getStreamGraph().getLineageGraph().relations();

        assertThat(relations.stream().map(LineageTest::text))
                .contains(
                        "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.shards",
                        "kafka://kafka:9092 g.edges > kafka://kafka:9092 g.dead-letters");
    }

    private static String text(LineageEdge relation) {
        return text(relation.source()) + " > " + text(relation.sink());
    }

    private static String text(LineageVertex vertex) {
        LineageDataset dataset = vertex.datasets().get(0);
        return dataset.namespace() + " " + dataset.name();
    }
}
