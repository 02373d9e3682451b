package io.cutwater.trainer.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowFrameTest {
    private static final RowFrame.Head HEAD =
            new RowFrame.Head(Direction.FORWARD_SCATTER, 1, 30, 2, 5, 2, 3, 0x0123456789ABCDEFL);
    private static final float[] VALUES = {1, -2.5f, 0, 1e-3f, 0.25f, -1e-4f};

    /** Frames of this version must stay as they are, since workers of two builds may meet. */
    @Test
    void framesAreTheStoredOnes() throws IOException {
        List<String> lines = new ArrayList<>();
        for (RowCoding coding : RowCoding.values()) {
            lines.add(HexFormat.of()
                    .formatHex(RowFrame.rows(HEAD, 28, coding, VALUES).array()));
        }
        lines.add(HexFormat.of().formatHex(RowFrame.same(HEAD, 29).array()));
        try (InputStream in = Objects.requireNonNull(RowFrameTest.class.getResourceAsStream("/golden/v2/frames.txt"))) {
            assertThat(lines)
                    .containsExactlyElementsOf(new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(RowCoding.class)
    void whatIsNotTheExpectedFrameIsRefused(RowCoding coding) throws IOException {
        byte[] whole = RowFrame.rows(HEAD, 28, coding, VALUES).array();
        float[] into = new float[VALUES.length];
        assertThat(RowFrame.read(ByteBuffer.wrap(whole), HEAD, into)).isEqualTo(new RowFrame.Received(true, 28));
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
            assertThatThrownBy(() -> RowFrame.read(part, HEAD, into)).isInstanceOf(IOException.class);
        }
        for (int at = 0; at < RowFrame.HEAD; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x40;
            boolean isVersion = at >= 12 && at < 16; // any version of rows may come
            boolean isFlag = at == 1; // any other number than 0 says that there are rows
            if (!isVersion && !isFlag) {
                assertThatThrownBy(() -> RowFrame.read(ByteBuffer.wrap(changed), HEAD, into))
                        .as("byte %d", at)
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void theRowsAreNearThoseSent() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int draw = 0; draw < 200; draw++) {
            int rows = random.nextInt(5);
            int columns = 1 + random.nextInt(9);
            float[] values = new float[rows * columns];
            double size = Math.pow(10, random.nextInt(-9, 6));
            float largest = 0;
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (random.nextInt(4) == 0 ? 0 : size * random.nextDouble(-1, 1));
                largest = Math.max(largest, Math.abs(values[i]));
            }
            for (RowCoding coding : RowCoding.values()) {
                float[] read = roundTrip(coding, rows, columns, values);
                double bound = switch (coding) {
                    case FLOAT32 -> 0;
                    case FLOAT16 -> 0x1p-11 * largest;
                    case INT8 -> 0.51 * 1.01 * largest / 127;
                };
                for (int i = 0; i < values.length; i++) {
                    assertThat((double) Math.abs(read[i] - values[i])).isLessThanOrEqualTo(bound);
                }
            }
        }
    }

    private static float[] roundTrip(RowCoding coding, int rows, int columns, float[] values) throws IOException {
        RowFrame.Head head = new RowFrame.Head(Direction.BACKWARD_GATHER, 1, 0, 0, 1, rows, columns, 1);
        float[] read = new float[values.length];
        RowFrame.read(RowFrame.rows(head, 0, coding, values), head, read);
        return read;
    }

    @Test
    void everyHalfFloatIsReadAndWritten() {
        float before = Float.NEGATIVE_INFINITY;
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = HalfFloat.toFloat((short) bits);
            if (Float.isNaN(value)) {
                assertThat(HalfFloat.toFloat(HalfFloat.of(value))).isNaN();
            } else {
                assertThat(HalfFloat.of(value)).isEqualTo((short) bits);
            }
            if (bits > 0 && bits < 0x7C00) {
                assertThat(value).isGreaterThan(before);
                float middle = (value + before) / 2; // exact; ties go to the even number
                assertThat(HalfFloat.of(middle)).isEqualTo((short) ((bits & 1) == 0 ? bits : bits - 1));
            }
            before = value;
        }
        assertThat(HalfFloat.toFloat(HalfFloat.of(65_519))).isEqualTo(65_504);
        assertThat(HalfFloat.toFloat(HalfFloat.of(65_520))).isEqualTo(Float.POSITIVE_INFINITY);
    }
}
