package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Edges wait in the window of the live rule of cutwater until an end has a replica. */
class EdgeWindowFactsTest {
    @Test
    void cutwaterHoldsAnEdgeUntilAReplicaReleasesItOrTheWindowIsFull() {
        PartitionerOptions options = PartitionerOptions.ofEdges("cutwater", 4, 1, PassMode.LIVE, Map.of("window", "2"));
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        Placement assigner = new Placement(partitioner, new VertexTable(partitioner.layout(4)), new PartitionLoads(4));
        List<Long> placed = new ArrayList<>();
        PlacedEdges into = (source, target, weight, timestamp, key, partition) -> placed.add(source * 10 + target);
        assigner.accept(edges(12, 34), into);
        assertThat(placed).isEmpty();
        assigner.accept(edges(45), into); // one too many: the oldest goes, and releases nothing
        assertThat(placed).containsExactly(12L);
        assigner.accept(edges(67), into); // 34 goes, and releases 45
        assertThat(placed).containsExactly(12L, 34L, 45L);
        assigner.accept(edges(75), into); // 5 has a replica: it goes at once, and releases 67
        assertThat(placed).containsExactly(12L, 34L, 45L, 75L, 67L);
        assertThat(assigner.heldCount()).isZero();
    }

    @Test
    void edgesThatHaveWaitedSinceAGivenTimeArePlacedTogetherWithWhatTheyRelease() {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(PartitionerOptions.ofEdges("cutwater", 4, 1));
        Placement assigner = new Placement(partitioner, new VertexTable(partitioner.layout(4)), new PartitionLoads(4));
        List<Long> placed = new ArrayList<>();
        PlacedEdges into = (source, target, weight, timestamp, key, partition) -> placed.add(source * 10 + target);
        assigner.accept(edges(12, 34), into);
        long then = assigner.heldEver();
        assigner.accept(edges(56, 47, 89), into);
        assigner.placeHeldBefore(then, into);
        assertThat(placed).containsExactly(12L, 34L, 47L);
        assertThat(assigner.heldCount()).isEqualTo(2);
    }

    private static EdgeBatch edges(int... twoDigits) {
        EdgeBatch batch = new EdgeBatch();
        for (int edge : twoDigits) {
            batch.add(edge / 10, edge % 10);
        }
        return batch;
    }
}
