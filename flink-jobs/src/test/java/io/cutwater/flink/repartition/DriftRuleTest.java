package io.cutwater.flink.repartition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.repartition.DriftRule.Look;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriftRuleTest {
    private static final Look LAST = new Look(2, 1.05, 10_000);

    @Test
    void looksForTheFirstTimeWhenThereAreEdges() {
        assertThat(DriftRule.isDue(Look.NEVER, new Look(1.5, 1, 999))).isFalse();
        assertThat(DriftRule.isDue(Look.NEVER, new Look(1.5, 1, 1_000))).isTrue();
    }

    @Test
    void looksAgainWhenCopiesOrBalanceAreWorseByFivePerCent() {
        assertThat(DriftRule.isDue(LAST, new Look(2.09, 1.05, 20_000))).isFalse();
        assertThat(DriftRule.isDue(LAST, new Look(2.11, 1.05, 20_000))).isTrue();
        assertThat(DriftRule.isDue(LAST, new Look(1.9, 1.10, 20_000))).isFalse();
        assertThat(DriftRule.isDue(LAST, new Look(1.9, 1.11, 20_000))).isTrue();
    }

    @Test
    void doesNotLookBeforeATenthOfTheEdgesHaveChanged() {
        assertThat(DriftRule.isDue(LAST, new Look(3, 2, 11_000))).isFalse();
        assertThat(DriftRule.isDue(LAST, new Look(3, 2, 11_200))).isTrue();
        assertThat(DriftRule.isDue(LAST, new Look(3, 2, 9_000))).isTrue();
    }

    @Test
    void movesForAGainOfThreePerCentAndForNothingLess() {
        Map<String, Double> before = Map.of("replicationFactor", 2.0, "edgeBalance", 1.0);
        assertThat(DriftRule.isWorthIt(before, Map.of("replicationFactor", 1.95, "edgeBalance", 1.0)))
                .isFalse();
        assertThat(DriftRule.isWorthIt(before, Map.of("replicationFactor", 1.93, "edgeBalance", 1.0)))
                .isTrue();
    }

    @Test
    void balanceCountsUnlessCopiesPayForIt() {
        Map<String, Double> before = Map.of("replicationFactor", 2.0, "edgeBalance", 1.5);
        assertThat(DriftRule.isWorthIt(before, Map.of("replicationFactor", 2.0, "edgeBalance", 1.05)))
                .isTrue();
        assertThat(DriftRule.isWorthIt(before, Map.of("replicationFactor", 2.2, "edgeBalance", 1.05)))
                .isFalse();
    }

    @Test
    void ofAVertexPartitioningTheCopiesWithFullNeighboursAndTheVolumeCount() {
        Map<String, Double> before = Map.of("replicationFactorFullNeighbours", 2.0, "volumeBalance", 1.5);
        assertThat(DriftRule.isWorthIt(before, Map.of("replicationFactorFullNeighbours", 1.9, "volumeBalance", 1.5)))
                .isTrue();
        assertThat(DriftRule.isWorthIt(before, before)).isFalse();
    }

    /** What was just gained is not lost again by the loss that leads to a look. */
    @Test
    void aPlacementThatIsAsGoodAsAfterTheLastLookIsLeftAlone() {
        Look now = new Look(1.9, 1.05, 20_000);
        assertThat(DriftRule.isDue(LAST, now)).isFalse();
        assertThat(DriftRule.isDue(now, new Look(1.9 * 1.04, 1.05, 40_000))).isFalse();
    }
}
