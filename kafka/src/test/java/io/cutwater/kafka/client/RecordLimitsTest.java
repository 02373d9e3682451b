package io.cutwater.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import io.cutwater.state.table.VertexLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The largest that there can be of each kind of record, with the most partitions and the largest numbers. */
final class RecordLimitsTest {
    private static final int K = VertexLayout.MAX_PARTITIONS;
    private static final long LARGEST = Long.MAX_VALUE / K;

    @Test
    void theLargestReportsFit() {
        List<PartitionQuality> ofVertices = new ArrayList<>();
        List<PartitionQuality> ofEdges = new ArrayList<>();
        for (int p = 0; p < K; p++) {
            ofVertices.add(new PartitionQuality(p, LARGEST, LARGEST, LARGEST, LARGEST));
            ofEdges.add(new PartitionQuality(p, LARGEST, LARGEST));
        }
        var vertices = Quality.ofVertices(K, LARGEST, LARGEST, LARGEST, ofVertices);
        var edges = Quality.ofEdges(K, LARGEST, LARGEST, LARGEST, ofEdges);
        var training = new TrainingQuality(Collections.nCopies(K, LARGEST));
        assertFits(ReportJson.toBytes(
                new RunReport("a".repeat(100), LARGEST, vertices, 1e300, LARGEST).withTraining(training)));
        assertFits(ReportJson.toBytes(new RunReport("a".repeat(100), LARGEST, edges, 1e300, LARGEST)));
    }

    @Test
    void aHubWithAReplicaInEveryPartitionFits() {
        VertexBatch hub = new VertexBatch(1);
        hub.add(Long.MIN_VALUE, LARGEST, K - 1);
        for (int p = 0; p < K; p++) {
            hub.addReplica(p);
        }
        assertFits(new PartitionBookCodec().value(hub, 0));
    }

    @Test
    void aShardRecordOfTheMostEdgesWithAllColumnsFits() {
        EdgeBatch edges = new EdgeBatch(1);
        for (int i = 0; i < ShardRecordCodec.MAX_EDGES; i++) {
            edges.add(LARGEST, LARGEST, 1.5, 7);
            edges.setPlace(i, 0);
        }
        assertFits(ShardRecordCodec.encode(ShardRecordCodec.Kind.ADD_OWNED, LARGEST, edges, 0, edges.size()));
    }

    private static void assertFits(byte[] value) {
        assertThat(RecordLimits.requireFits("topic", value)).isSameAs(value);
    }
}
