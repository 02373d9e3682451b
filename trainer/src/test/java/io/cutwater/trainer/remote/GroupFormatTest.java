package io.cutwater.trainer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sync.GraphBatchMaker.Sample;
import io.cutwater.trainer.sync.WorkCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GroupFormatTest {
    private static final Traffic TRAFFIC = new Traffic(11, 12, 0, 0, 0).withMapped(13);
    private static final Locality LOCALITY = new Locality(1, 2, 3, 4);
    private static final String VERSION = "run all processes with the same version";

    private static final Hop HOP =
            new Hop(2, new int[] {0, 1, 3}, new int[] {2, 0, 1}, new int[] {5, 6}, new int[] {7, 8, 9});

    private static GroupFormat.Made made(InputRows missing, long... vertices) {
        return new GroupFormat.Made(
                new Sample(5, List.of(HOP, HOP), new int[] {3, 1}, vertices, LOCALITY), TRAFFIC, missing);
    }

    private static InputRows dense(float... values) {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(values.length * Float.BYTES).order(ByteOrder.nativeOrder());
        bytes.asFloatBuffer().put(values);
        return new InputRows.Dense(values.length / 2, 2, bytes);
    }

    private static InputRows sparse() {
        return new InputRows.Sparse(3, 9, new int[] {0, 2, 2, 3}, new int[] {1, 8, 0}, new float[] {0.5f, -1, 2});
    }

    private final WorkCounters counters = new WorkCounters();

    private BatchTeam.Part part(int shard) {
        return new BatchTeam.Part(shard, new int[] {7, 8}, new BufferPool(), counters);
    }

    private static void read(ByteBuffer bytes, WorkerRows rows, BatchTeam.Part... parts) throws IOException {
        BatchFormat.read(bytes, in -> {
            GroupFormat.read(in, List.of(parts), rows, 2, 1000);
            return 0;
        });
    }

    @Test
    void rowsThatTheWorkerHasAreTakenFromItsOwn() throws IOException {
        WorkerRows sampler = new WorkerRows(2);
        assertThat(sampler.missing(List.of(new long[] {1, 2, 3}, new long[] {3, 4, 1})))
                .containsExactly(new long[] {1, 2, 3}, new long[] {4});
        // The rows that were put last were those of 3 and 4; rows of a group that are used again stay where they are.
        List<long[]> next = sampler.missing(List.of(new long[] {4, 5, 2}));
        assertThat(next.get(0)).containsExactly(5, 2);

        WorkerRows worker = new WorkerRows(2);
        BatchTeam.Part first = part(0);
        BatchTeam.Part second = part(1);
        read(
                GroupFormat.encode(List.of(made(dense(1, 1, 2, 2, 3, 3), 1, 2, 3), made(dense(4, 4), 3, 4, 1))),
                worker,
                first,
                second);
        assertThat(values(first)).containsExactly(1, 1, 2, 2, 3, 3);
        assertThat(values(second)).containsExactly(3, 3, 4, 4, 1, 1);
        assertThat(counters.takeTraffic()).isEqualTo(new Traffic(22, 24, 0, 0, 0, 1000, 16, 26));
        BatchTeam.Part third = part(0);
        read(GroupFormat.encode(List.of(made(dense(5, 5, 2, 2), 4, 5, 2))), worker, third);
        assertThat(values(third)).containsExactly(4, 4, 5, 5, 2, 2);
    }

    private static float[] values(BatchTeam.Part part) {
        float[] values = new float[6];
        ((InputRows.Dense) part.batch().inputs()).values().asFloatBuffer().get(values);
        return values;
    }

    @Test
    void sparseRowsAreReadAsTheyWereWritten() throws IOException {
        BatchTeam.Part part = part(0);
        read(GroupFormat.encode(List.of(made(sparse(), 6, 7, 8))), new WorkerRows(0), part);
        assertThat(part.batch().inputs()).usingRecursiveComparison().isEqualTo(sparse());
        assertThat(part.batch().hops()).usingRecursiveComparison().isEqualTo(List.of(HOP, HOP));
        assertThat(part.batch().labels()).containsExactly(3, 1);
        assertThat(part.batch().randomSeed()).isEqualTo(5);
    }

    @Test
    void damagedAnswersAreRefusedBeforeTheyAllocate() {
        SplittableRandom random = new SplittableRandom(1);
        for (InputRows inputs : List.of(dense(1, 2, 3, 4, 5, 6), sparse())) {
            ByteBuffer good = GroupFormat.encode(List.of(made(inputs, 1, 2, 3)));
            for (int length = 0; length < good.limit(); length++) {
                ByteBuffer cut = good.duplicate().limit(length);
                assertThatThrownBy(() -> read(cut, new WorkerRows(9), part(0))).hasMessageContaining(VERSION);
            }
            for (int i = 0; i < 2000; i++) {
                byte[] bytes = good.array().clone();
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                try {
                    read(ByteBuffer.wrap(bytes), new WorkerRows(9), part(0));
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining(VERSION);
                }
            }
        }
    }

    @Test
    void missingRowsMustBeThoseThatWereSent() {
        ByteBuffer tooFew = GroupFormat.encode(List.of(made(dense(1, 1, 2, 2), 1, 2, 3)));
        ByteBuffer tooMany = GroupFormat.encode(List.of(made(dense(1, 1, 2, 2, 3, 3, 4, 4), 1, 2, 3)));
        for (ByteBuffer wrong : List.of(tooFew, tooMany)) {
            assertThatThrownBy(() -> read(wrong, new WorkerRows(9), part(0))).hasMessageContaining("other rows");
        }
    }
}
