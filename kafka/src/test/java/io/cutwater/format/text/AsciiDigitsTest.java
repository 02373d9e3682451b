package io.cutwater.format.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AsciiDigitsTest {
    @Test
    void writesWhatTheLibraryDoesAtEveryNumberOfDigits() {
        SplittableRandom random = new SplittableRandom(1);
        for (int bits = 0; bits < Long.SIZE; bits++) {
            for (int i = 0; i < 200; i++) {
                check(random.nextLong() >> bits);
            }
        }
        long power = 1;
        for (int digits = 1; digits <= 19; digits++, power *= 10) {
            check(power);
            check(power - 1);
            check(-power);
            check(1 - power);
        }
        check(Integer.MAX_VALUE);
        check(Integer.MAX_VALUE + 1L);
        check(Long.MAX_VALUE);
        check(Long.MIN_VALUE);
        check(Long.MIN_VALUE + 1);
    }

    private static void check(long value) {
        byte[] out = new byte[AsciiDigits.MAX_BYTES + 2];
        int end = AsciiDigits.put(out, 1, value);
        assertThat(new String(out, 1, end - 1, StandardCharsets.US_ASCII)).isEqualTo(Long.toString(value));
    }
}
