package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FlushPaceTest {
    @Test
    void theBoundSinksUntilTheNextBarrierIsDueAndStaysThereUntilItComes() {
        FlushPace pace = new FlushPace(1_000_000);
        pace.barrier(1_004_000); // the interval is 4 s from now on
        assertThat(pace.maxDirty(1_004_000)).isEqualTo(FlushPace.AT_BARRIER + 4 * FlushPace.PER_SECOND);
        assertThat(pace.maxDirty(1_007_000)).isEqualTo(FlushPace.AT_BARRIER + FlushPace.PER_SECOND);
        assertThat(pace.maxDirty(1_008_000)).isEqualTo(FlushPace.AT_BARRIER);
        assertThat(pace.maxDirty(1_100_000)).isEqualTo(FlushPace.AT_BARRIER);
        pace.barrier(1_100_000);
        assertThat(pace.maxDirty(1_100_000)).isGreaterThan(FlushPace.AT_BARRIER);
    }

    @Test
    void daysBetweenBarriersAreNoOverflow() {
        FlushPace pace = new FlushPace(0);
        pace.barrier(1_000_000_000L);
        assertThat(pace.maxDirty(1_000_000_000L)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aClockThatWasSetBackMakesTheBoundNoSmallerThanAtABarrier() {
        FlushPace pace = new FlushPace(1_000_000);
        pace.barrier(500_000);
        assertThat(pace.maxDirty(500_000)).isEqualTo(FlushPace.AT_BARRIER);
    }
}
