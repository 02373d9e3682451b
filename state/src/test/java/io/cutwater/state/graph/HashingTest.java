package io.cutwater.state.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HashingTest {
    @Test
    void mixesAsSplitMix64Does() {
        // The first outputs of SplitMix64 for seed 0, as its author publishes them: a changed hash would move every
        // edge.
        assertThat(Hashing.mix64(0x9E3779B97F4A7C15L)).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(Hashing.mix64(0x3C6EF372FE94F82AL)).isEqualTo(0x6E789E6AA1B965F4L);
    }

    @Test
    void reducesAHashToItsShareOfTheBound() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            long hash = random.nextLong();
            int bound = random.nextInt(1, 4097);
            BigInteger share = new BigInteger(Long.toUnsignedString(hash))
                    .shiftRight(1)
                    .multiply(BigInteger.valueOf(bound))
                    .shiftRight(63);
            assertThat(Hashing.reduce(hash, bound)).isEqualTo(share.intValueExact());
        }
    }

    @Test
    void reducesTheExtremesIntoTheRange() {
        assertThat(Hashing.reduce(-1L, 4096)).isEqualTo(4095);
        assertThat(Hashing.reduce(0, 4096)).isZero();
        assertThat(Hashing.reduce(-1L, 1)).isZero();
    }

    @Test
    void tellsAnEdgeFromItsReverse() {
        assertThat(Hashing.mix64(1, 2, 3)).isNotEqualTo(Hashing.mix64(1, 3, 2));
    }
}
