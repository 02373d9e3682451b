package io.cutwater.state.repartition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftRuleTest {
    private static final DriftRule RULE = new DriftRule(0.1, 0.05, 1.5, 0.02);
    private static final double NOTHING = Double.POSITIVE_INFINITY;

    /** 100 vertices and 200 edges on two partitions. */
    private static Quality quality(long replicas, long fullest) {
        return Quality.ofEdges(
                2,
                100,
                200,
                0,
                List.of(new PartitionQuality(0, replicas - 50, fullest), new PartitionQuality(1, 50, 200 - fullest)));
    }

    private static RepartitionPlan plan(Quality before, Quality expected, long moves) {
        return new RepartitionPlan(200, moves, moves, before, expected);
    }

    @Test
    void looksAtAGraphThatHasGrownOrShrunkByItsShare() {
        Quality even = quality(150, 100);
        assertThat(RULE.isDue(0, new DriftCheck(0, 0, NOTHING), even)).isFalse();
        assertThat(RULE.isDue(1, new DriftCheck(0, 0, NOTHING), even)).isTrue();
        assertThat(RULE.isDue(1099, new DriftCheck(1000, 0, NOTHING), even)).isFalse();
        assertThat(RULE.isDue(1101, new DriftCheck(1000, 0, NOTHING), even)).isTrue();
        assertThat(RULE.isDue(899, new DriftCheck(1000, 0, NOTHING), even)).isTrue();
    }

    @Test
    void looksLessOftenTheLessThereWasToGain() {
        Quality even = quality(150, 100);
        assertThat(RULE.isDue(1199, new DriftCheck(1000, 1, NOTHING), even)).isFalse();
        assertThat(RULE.isDue(1201, new DriftCheck(1000, 1, NOTHING), even)).isTrue();
        assertThat(RULE.isDue(1799, new DriftCheck(1000, 99, NOTHING), even)).isFalse();
        assertThat(RULE.isDue(1801, new DriftCheck(1000, 99, NOTHING), even)).isTrue();
    }

    @Test
    void looksEarlyWhereAPromiseIsNotKeptOrTheBalanceIsLost() {
        assertThat(RULE.isDue(1026, new DriftCheck(1000, 0, 1.45), quality(150, 100)))
                .isFalse();
        assertThat(RULE.isDue(1026, new DriftCheck(1000, 0, 1.42), quality(150, 100)))
                .isTrue();
        assertThat(RULE.isDue(1026, new DriftCheck(1000, 0, NOTHING), quality(150, 151)))
                .isTrue();
        assertThat(RULE.isDue(1024, new DriftCheck(1000, 0, 1.42), quality(150, 151)))
                .isFalse();
    }

    @Test
    void movesForEnoughCopiesOrABetterBalanceOnly() {
        Quality before = quality(150, 100);
        assertThat(RULE.moves(plan(before, quality(147, 100), 5))).isTrue();
        assertThat(RULE.moves(plan(before, quality(148, 100), 5))).isFalse();
        assertThat(RULE.moves(plan(before, before, 0))).isFalse();
        assertThat(RULE.moves(plan(quality(150, 160), quality(155, 120), 5))).isTrue();
        assertThat(RULE.moves(plan(quality(150, 140), quality(155, 120), 5))).isFalse();
    }

    @Test
    void refusesThresholdsThatMeanNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftRule(0, 0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftRule(0.1, -1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftRule(0.1, 0, 0.9, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new DriftRule(0.1, 0, 1, Double.NaN));
    }
}
