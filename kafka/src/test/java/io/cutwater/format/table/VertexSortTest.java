package io.cutwater.format.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.binary.LongSort;
import io.cutwater.format.folder.FolderStaging;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VertexSortTest {
    private static final int PARTITIONS = 4096;

    @TempDir
    Path temp;

    @ParameterizedTest(name = "runs of {0} bytes")
    @ValueSource(ints = {10_000, 100_000, VertexSort.RUN_BYTES})
    void mergesAnyNumberOfRunsIntoAscendingRows(int runBytes) throws IOException {
        SplittableRandom random = new SplittableRandom(runBytes);
        TreeMap<Long, List<Integer>> expected = new TreeMap<>();
        try (FolderStaging staging = FolderStaging.create(temp, PARTITIONS)) {
            VertexBatch batch = new VertexBatch();
            for (int i = 0; i < 5_000; i++) {
                long vertex = random.nextLong() >> random.nextInt(50);
                int[] replicas = random.ints(i % 1000 == 0 ? 4000 : random.nextInt(1, 9), 0, PARTITIONS)
                        .distinct()
                        .sorted()
                        .toArray();
                if (expected.putIfAbsent(vertex, Arrays.stream(replicas).boxed().toList()) == null) {
                    batch.add(vertex, i, replicas[0]);
                    Arrays.stream(replicas).forEach(batch::addReplica);
                }
            }
            staging.append(batch);
            staging.flush();
        }
        TreeMap<Long, List<Integer>> actual = new TreeMap<>();
        List<Long> order = new ArrayList<>();
        try (VertexSort sorted = open(runBytes)) {
            assertThat(sorted.vertexCount()).isEqualTo(expected.size());
            assertThat(sorted.replicaTotal())
                    .isEqualTo(expected.values().stream().mapToLong(List::size).sum());
            while (sorted.next()) {
                order.add(sorted.vertex());
                actual.put(sorted.vertex(), replicas(sorted));
            }
        }
        assertThat(order).isSorted();
        assertThat(actual).isEqualTo(expected);
        assertThat(temp.resolve("spill")).doesNotExist();
    }

    private static List<Integer> replicas(VertexSort sorted) {
        ByteBuffer row = sorted.rows();
        List<Integer> replicas = new ArrayList<>();
        for (int i = 0; i < VertexRows.replicaCount(row, sorted.at()); i++) {
            replicas.add(VertexRows.replica(row, sorted.at(), i));
        }
        assertThat(VertexRows.master(row, sorted.at())).isEqualTo(replicas.get(0));
        return replicas;
    }

    private VertexSort open(int runBytes) throws IOException {
        return new VertexSort(FolderStaging.vertices(temp), temp.resolve("spill"), runBytes);
    }

    @Test
    void aVertexThatWasStagedTwiceIsAnError() throws IOException {
        try (FolderStaging staging = FolderStaging.create(temp, 1)) {
            VertexBatch batch = new VertexBatch();
            for (long vertex : new long[] {5, 3, 5}) {
                batch.add(vertex, 1, 0);
                batch.addReplica(0);
            }
            staging.append(batch);
            staging.flush();
        }
        try (VertexSort sorted = open(1 << 20)) {
            assertThat(sorted.next()).isTrue();
            assertThat(sorted.next()).isTrue();
            assertThatThrownBy(sorted::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("vertex 5 was staged twice");
        }
    }

    @Test
    void sortsKeysThatShareMostOfTheirBytes() {
        long[] keys = {7, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0, 256, 255, -256};
        int[] order = LongSort.order(keys.length, keys);
        assertThat(Arrays.stream(order).mapToLong(i -> keys[i]).toArray())
                .containsExactly(Long.MIN_VALUE, -256, -1, 0, 7, 255, 256, Long.MAX_VALUE);
        assertThat(LongSort.order(0, keys)).isEmpty();
        assertThat(LongSort.order(3, new long[] {4, 4, 4})).containsExactly(0, 1, 2);
    }
}
