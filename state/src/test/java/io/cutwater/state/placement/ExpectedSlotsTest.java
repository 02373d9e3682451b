package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots that a batch expects save time and change nothing, also if they are those of other vertices, or none. */
final class ExpectedSlotsTest {
    private static final int VERTICES = 60;
    private static final int PARTITIONS = 5;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void placesEdgesAsWithoutSlots(long seed) {
        assertThat(places(seed, true)).isEqualTo(places(seed, false));
    }

    private static List<Integer> places(long seed, boolean hasSlots) {
        PartitionerOptions options = PartitionerOptions.ofEdges("hdrf", PARTITIONS, 1);
        Algorithm algorithm = Algorithms.of(options);
        VertexLayout layout = algorithm.layout(options);
        // The least that there is: most slots change hands.
        VertexTable table = new VertexTable(layout, new MapVertexStore(), 1, 0, VertexTable.Listener.NONE);
        Placement placement = algorithm.placement(options, table, new PartitionLoads(PARTITIONS), null);
        List<Integer> places = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom slotRandom = random.split();
        for (int b = 0; b < 50; b++) {
            EdgeBatch batch = new EdgeBatch();
            for (int i = random.nextInt(20); i > 0; i--) {
                batch.add(random.nextInt(VERTICES), random.nextInt(VERTICES));
            }
            if (hasSlots) {
                batch.setSlots(
                        slotRandom.ints(2L * batch.size(), -1, 2 * VERTICES).toArray());
            }
            placement.accept(batch, (source, target, weight, timestamp, key, place) -> places.add(place));
        }
        return places;
    }
}
