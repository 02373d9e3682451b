package io.cutwater.kafka.progress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final long MILLI = 1_000_000;

    private long now = Long.MAX_VALUE - 100 * MILLI; // the clock may overflow
    private long slept;

    @Test
    void letsTheFirstGoAtOnceAndSpreadsTheRest() {
        RateLimit rate = rate(1000);
        rate.await(100);
        assertThat(slept).isZero();
        rate.await(50);
        assertThat(slept).isEqualTo(100 * MILLI);
        rate.await(1);
        assertThat(slept).isEqualTo(150 * MILLI);
    }

    @Test
    void sleepsOnlyWhatTheWorkLeftOver() {
        RateLimit rate = rate(1000);
        rate.await(100);
        now += 60 * MILLI;
        rate.await(100);
        assertThat(slept).isEqualTo(40 * MILLI);
    }

    @Test
    void doesNotMakeUpForASlowCaller() {
        RateLimit rate = rate(1000);
        rate.await(100);
        now += 5000 * MILLI;
        rate.await(100);
        assertThat(slept).isZero();
        rate.await(100);
        assertThat(slept).isEqualTo(100 * MILLI);
    }

    @Test
    void keepsTheRateOverManySmallSteps() {
        RateLimit rate = rate(3_000_000);
        for (int i = 0; i < 3_000; i++) {
            rate.await(1000);
        }
        // 3 million edges take a second; the last step's share of it is still to come.
        assertThat(slept).isBetween(999 * MILLI, 1000 * MILLI);
    }

    @Test
    void waitsAgainAfterASleepThatWasTooShort() {
        RateLimit rate = new RateLimit(1000, () -> now, nanos -> now += Math.min(nanos, MILLI));
        long start = now;
        rate.await(10);
        rate.await(10);
        assertThat(now - start).isEqualTo(10 * MILLI);
    }

    @Test
    void hasNoLimitAtZero() {
        RateLimit rate = rate(0);
        rate.await(1_000_000);
        rate.await(1_000_000);
        assertThat(slept).isZero();
    }

    private RateLimit rate(long edgesPerSecond) {
        return new RateLimit(edgesPerSecond, () -> now, nanos -> {
            now += nanos;
            slept += nanos;
        });
    }
}
