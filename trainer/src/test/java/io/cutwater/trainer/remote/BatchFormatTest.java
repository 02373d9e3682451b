package io.cutwater.trainer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchFormatTest {
    private static final Traffic TRAFFIC = new Traffic(11, 12, 0, 0, 0);
    private static final Locality LOCALITY = new Locality(1, 2, 3, 4);

    private static final Hop HOP =
            new Hop(2, new int[] {0, 1, 3}, new int[] {2, 0, 1}, new int[] {5, 6}, new int[] {7, 8, 9});

    private static MiniBatch batch(InputRows inputs) {
        return new MiniBatch(5, List.of(HOP, HOP), inputs, new int[] {3, 1});
    }

    private static InputRows dense() {
        ByteBuffer values = ByteBuffer.allocateDirect(3 * 2 * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < 6; i++) {
            values.putFloat(i + 0.5f);
        }
        return new InputRows.Dense(3, 2, values.flip());
    }

    private static InputRows sparse() {
        return new InputRows.Sparse(3, 9, new int[] {0, 2, 2, 3}, new int[] {1, 8, 0}, new float[] {0.5f, -1, 2});
    }

    private static BatchFormat.Counted read(ByteBuffer bytes) throws IOException {
        return BatchFormat.read(bytes, in -> BatchFormat.batch(in, new BufferPool()));
    }

    @Test
    void aMiniBatchIsReadAsItWasWritten() throws IOException {
        for (InputRows inputs : List.of(dense(), sparse())) {
            BatchFormat.Counted found = read(BatchFormat.encode(batch(inputs), TRAFFIC, LOCALITY));
            assertThat(found.traffic()).isEqualTo(TRAFFIC);
            assertThat(found.locality()).isEqualTo(LOCALITY);
            assertThat(found.batch())
                    .usingRecursiveComparison()
                    .ignoringFieldsOfTypes(ByteBuffer.class)
                    .isEqualTo(batch(inputs));
            if (found.batch().inputs() instanceof InputRows.Dense rows && inputs instanceof InputRows.Dense expected) {
                assertThat(rows.values()).isEqualTo(expected.values());
            }
        }
    }

    @Test
    void damagedAnswersAreRefusedBeforeTheyAllocate() {
        SplittableRandom random = new SplittableRandom(1);
        for (InputRows inputs : List.of(dense(), sparse())) {
            ByteBuffer good = BatchFormat.encode(batch(inputs), TRAFFIC, LOCALITY);
            for (int length = 0; length < good.limit(); length++) {
                ByteBuffer part = good.duplicate().limit(length);
                assertThatThrownBy(() -> read(part)).hasMessageContaining("run all processes with the same version");
            }
            for (int i = 0; i < 2000; i++) {
                byte[] bytes = good.array().clone();
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                try {
                    read(ByteBuffer.wrap(bytes));
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("run all processes with the same version");
                }
            }
        }
    }
}
