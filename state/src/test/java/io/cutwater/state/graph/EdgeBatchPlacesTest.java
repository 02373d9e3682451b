package io.cutwater.state.graph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EdgeBatchPlacesTest {
    @Test
    void edgesWithoutAPlaceAreRemovedAndTheOthersKeepAllThatTheyHave() {
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < 6; i++) {
            batch.add(i, 10 + i, i % 2 == 0 ? i / 4.0 : Double.NaN, i == 3 ? EdgeBatch.NO_TIMESTAMP : 100 + i);
            batch.setPlace(i, i % 3 == 0 ? EdgeBatch.NO_PLACE : i);
        }
        batch.removeUnplaced();
        assertThat(batch.size()).isEqualTo(4);
        int[] kept = {1, 2, 4, 5};
        for (int i = 0; i < kept.length; i++) {
            assertThat(batch.source(i)).isEqualTo(kept[i]);
            assertThat(batch.target(i)).isEqualTo(10 + kept[i]);
            assertThat(batch.weight(i)).isEqualTo(Double.valueOf(kept[i] % 2 == 0 ? kept[i] / 4.0 : Double.NaN));
            assertThat(batch.timestamp(i)).isEqualTo(100 + kept[i]);
            assertThat(batch.place(i)).isEqualTo(kept[i]);
        }
    }

    @Test
    void noEdgeIsLeftOfABatchWithoutPlaces() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.removeUnplaced();
        assertThat(batch.isEmpty()).isTrue();
    }
}
