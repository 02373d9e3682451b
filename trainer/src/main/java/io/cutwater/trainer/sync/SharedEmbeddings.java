package io.cutwater.trainer.sync;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.training.LearnedInputs;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The learned rows of all vertices, each in the table of its home. If several shards have a gradient of a row in a
 * step, the home takes their mean, weighted by the training vertices of the mini-batches, in the order of the shards.
 */
final class SharedEmbeddings {
    private final LinkedShards shards;
    private final int width;
    private final long seed;
    private final EmbeddingTable[] tables;
    private final int[][] homes; // local numbers by row of a table
    private final Announcement[] announcements;
    private final WorkCounters[] counters;

    /** The gradients of a shard's mini-batch. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Announcement(long[] vertices, float[] gradients, int seeds) {}

    /** @param before rows of an earlier cut or a checkpoint */
    SharedEmbeddings(LinkedShards shards, EmbeddingRows before, double learningRate, WorkCounters[] counters) {
        this.shards = shards;
        width = before.width();
        seed = before.seed();
        this.counters = counters;
        tables = new EmbeddingTable[shards.count()];
        homes = new int[shards.count()][];
        announcements = new Announcement[shards.count()];
        for (int shard = 0; shard < tables.length; shard++) {
            tables[shard] = new EmbeddingTable(ids(shard), before, learningRate);
        }
    }

    private long[] ids(int shard) {
        homes[shard] = shards.verticesAt(shard);
        return Arrays.stream(homes[shard])
                .mapToLong(shards.store(shard)::vertex)
                .toArray();
    }

    /** Returns the row of a vertex in the table of its home: owned vertices have the lowest local numbers. */
    private int row(long vertex) {
        int local = LinkedShards.local(vertex);
        int[] at = homes[LinkedShards.shard(vertex)];
        return local < at.length && at[local] == local ? local : Arrays.binarySearch(at, local);
    }

    /** Returns all rows that were updated, at a time when no shard updates them. */
    EmbeddingRows rows() {
        List<long[]> found = new ArrayList<>(); // vertex, address
        for (int shard = 0; shard < tables.length; shard++) {
            for (int local : homes[shard]) {
                found.add(new long[] {shards.store(shard).vertex(local), LinkedShards.address(shard, local)});
            }
        }
        found.sort(Comparator.comparingLong(pair -> pair[0]));
        int count = Arrays.stream(tables).mapToInt(EmbeddingTable::updated).sum();
        int size = Math.multiplyExact(count, width);
        EmbeddingRows rows = new EmbeddingRows(
                seed, width, new long[count], new int[count], new float[size], new float[size], new float[size]);
        int position = 0;
        for (long[] pair : found) {
            position = tables[LinkedShards.shard(pair[1])].copy(row(pair[1]), rows, position, pair[0]);
        }
        return rows;
    }

    /** Copies the row of a vertex to the position of a buffer and advances the position. */
    void read(long vertex, FloatBuffer into) {
        tables[LinkedShards.shard(vertex)].read(row(vertex), into);
    }

    int width() {
        return width;
    }

    /** Returns the rows as a shard sees them. */
    LearnedInputs of(int rank) {
        return new OfShard(rank);
    }

    private final class OfShard implements LearnedInputs {
        private final int rank;

        OfShard(int rank) {
            this.rank = rank;
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public float[] read(long[] vertices) {
            FloatBuffer rows = FloatBuffer.allocate(Math.multiplyExact(vertices.length, width));
            for (long vertex : vertices) {
                SharedEmbeddings.this.read(vertex, rows);
            }
            long local = local(vertices);
            counters[rank].add(
                    new Traffic(bytes(vertices.length - local), 0, 0, 0, 0),
                    new Locality(0, 0, vertices.length, local));
            return rows.array();
        }

        private long local(long[] vertices) {
            return Arrays.stream(vertices)
                    .filter(vertex -> LinkedShards.shard(vertex) == rank)
                    .count();
        }

        private long bytes(long rows) {
            return rows * (Long.BYTES + (long) width * Float.BYTES);
        }

        @Override
        public void announce(long[] vertices, float[] gradients, int seeds) {
            announcements[rank] = new Announcement(vertices, gradients, seeds);
            counters[rank].add(new Traffic(0, 0, bytes(vertices.length - local(vertices)), 0, 0), Locality.NONE);
        }

        @Override
        public void update() {
            int most = 1;
            for (Announcement announcement : announcements) {
                most += announcement.vertices().length;
            }
            long[] touched = new long[most];
            SlotIndex index = new SlotIndex(1, most);
            int count = 0;
            int[] slots = new int[most];
            int at = 0;
            for (Announcement announcement : announcements) {
                for (long vertex : announcement.vertices()) {
                    if (LinkedShards.shard(vertex) == rank) {
                        int slot = index.find(vertex, touched);
                        if (slot == SlotIndex.NO_SLOT) {
                            slot = count++;
                            touched[slot] = vertex;
                            index.insert(vertex, slot);
                        }
                        slots[at++] = slot;
                    }
                }
            }
            double[] sums = new double[Math.multiplyExact(count, width)];
            double[] weights = new double[count];
            at = 0;
            for (Announcement announcement : announcements) {
                for (int row = 0; row < announcement.vertices().length; row++) {
                    if (LinkedShards.shard(announcement.vertices()[row]) == rank) {
                        int slot = slots[at++];
                        weights[slot] += announcement.seeds();
                        for (int i = 0; i < width; i++) {
                            sums[slot * width + i] +=
                                    (double) announcement.seeds() * announcement.gradients()[row * width + i];
                        }
                    }
                }
            }
            for (int slot = 0; slot < count; slot++) {
                tables[rank].update(row(touched[slot]), sums, slot * width, weights[slot]);
            }
        }
    }
}
