package io.cutwater.trainer.averaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.trainer.training.Tally;
import org.junit.jupiter.api.Test;

class BestModelTest {
    @Test
    void theLowerValidationLossIsBetterWhateverTheShareThatIsRight() {
        BestModel best = new BestModel(1, new float[0][], tally(10, 9, 5.0));
        assertThat(best.isBeatenBy(tally(10, 8, 4.9))).isTrue();
        assertThat(best.isBeatenBy(tally(10, 10, 5.1))).isFalse();
        assertThat(best.isBeatenBy(tally(10, 10, 5.0))).isFalse();
    }

    @Test
    void withoutValidationVerticesTheLastOneIsBest() {
        assertThat(new BestModel(1, new float[0][], tally(0, 0, 0)).isBeatenBy(tally(0, 0, 0)))
                .isTrue();
    }

    private static Tally tally(long total, long right, double lossSum) {
        Tally tally = new Tally();
        tally.total()[VertexSplit.VAL.ordinal()] = total;
        tally.right()[VertexSplit.VAL.ordinal()] = right;
        tally.lossSums()[VertexSplit.VAL.ordinal()] = lossSum;
        return tally;
    }
}
