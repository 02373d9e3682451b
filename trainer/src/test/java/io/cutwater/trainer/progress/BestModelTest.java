package io.cutwater.trainer.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.round.AccuracyCounts;
import org.junit.jupiter.api.Test;

class BestModelTest {
    @Test
    void theLowerValidationLossIsBetterWhateverTheShareThatIsRight() {
        BestModel best = new BestModel(1, new float[0][], counts(10, 9, 5.0));
        assertThat(best.isBeatenBy(counts(10, 8, 4.9))).isTrue();
        assertThat(best.isBeatenBy(counts(10, 10, 5.1))).isFalse();
        assertThat(best.isBeatenBy(counts(10, 10, 5.0))).isFalse();
    }

    @Test
    void withoutValidationVerticesTheLastOneIsBest() {
        assertThat(new BestModel(1, new float[0][], counts(0, 0, 0)).isBeatenBy(counts(0, 0, 0)))
                .isTrue();
    }

    private static AccuracyCounts counts(long total, long right, double lossSum) {
        AccuracyCounts counts = new AccuracyCounts();
        counts.total()[VertexSplit.VAL.ordinal()] = total;
        counts.right()[VertexSplit.VAL.ordinal()] = right;
        counts.lossSums()[VertexSplit.VAL.ordinal()] = lossSum;
        return counts;
    }
}
