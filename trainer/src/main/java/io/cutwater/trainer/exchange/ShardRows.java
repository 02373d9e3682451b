package io.cutwater.trainer.exchange;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The vertices of a shard as rows, its own first, and which of them other shards have, too. A vertex that no shard
 * owns, because the book of a live job is behind its shards, belongs to the lowest shard that has it. Immutable; 8
 * bytes per vertex and 4 per copy of a vertex.
 */
public final class ShardRows {
    private static final int NO_OWNER = -1;

    private final int rank;
    private final long[] vertices; // by row
    private final int[] rowOfLocal;
    private final int ownCount;
    private final long trainingVertices;
    private final long cut;
    private final int[][] sent; // by other worker: own rows that it has, ascending ids
    private final int[][] received; // by other worker: rows that it owns, ascending ids

    private ShardRows(FrameChannel channel, ShardStore store, int[] owners, long[][] others, long trained, long cut) {
        rank = channel.rank();
        this.cut = cut;
        trainingVertices = trained;
        int count = store.vertexCount();
        rowOfLocal = new int[count];
        vertices = new long[count];
        int next = 0;
        for (int local = 0; local < count; local++) {
            if (owners[local] == rank) {
                next = place(local, next, store);
            }
        }
        ownCount = next;
        for (int local = 0; local < count; local++) {
            if (owners[local] != rank) {
                next = place(local, next, store);
            }
        }
        sent = new int[channel.size()][];
        received = new int[channel.size()][];
        for (int other = 0; other < sent.length; other++) {
            sent[other] = other == rank ? new int[0] : ownRowsOf(others[other], store, owners);
            received[other] = other == rank ? new int[0] : rowsOwnedBy(other, store, owners);
        }
    }

    private int place(int local, int row, ShardStore store) {
        rowOfLocal[local] = row;
        vertices[row] = store.vertex(local);
        return row + 1;
    }

    private int[] ownRowsOf(long[] wanted, ShardStore store, int[] owners) {
        int[] rows = new int[wanted.length];
        int count = 0;
        for (long vertex : wanted) {
            int local = find(store, vertex);
            if (local >= 0 && owners[local] == rank) {
                rows[count++] = rowOfLocal[local];
            }
        }
        return Arrays.copyOf(rows, count);
    }

    private int[] rowsOwnedBy(int other, ShardStore store, int[] owners) {
        int[] rows = new int[store.vertexCount()];
        int count = 0;
        for (int local = 0; local < owners.length; local++) { // halo vertices and mirrors have ascending ids
            if (owners[local] == other) {
                rows[count++] = rowOfLocal[local];
            }
        }
        return Arrays.copyOf(rows, count);
    }

    /**
     * Finds the owners of all rows together with the other workers: each tells all which vertices it has without owning
     * them, and then which of all those it owns.
     *
     * @param trained training vertices of this shard
     * @param cut hash of the training and its cut, equal at all workers
     * @throws IOException if two shards own a vertex, or a worker fails; the message is meant for users
     */
    public static ShardRows link(FrameChannel channel, ShardStore store, long trained, long cut)
            throws IOException, InterruptedException {
        int rank = channel.rank();
        long[] foreign = new long[store.vertexCount() - store.ownedCount()];
        for (int i = 0; i < foreign.length; i++) {
            foreign[i] = store.vertex(store.ownedCount() + i);
        }
        long[][] wanted = tellAll(channel, 0, cut, foreign);
        long[] asked =
                Arrays.stream(wanted).flatMapToLong(Arrays::stream).distinct().toArray();
        long[] claimed = new long[asked.length + 1];
        int claims = 1;
        claimed[0] = trained;
        for (long vertex : asked) {
            int local = find(store, vertex);
            if (local >= 0 && local < store.ownedCount()) {
                claimed[claims++] = vertex;
            }
        }
        Arrays.sort(claimed, 1, claims);
        long[][] owned = tellAll(channel, 1, cut, Arrays.copyOf(claimed, claims));
        int[] owners = new int[store.vertexCount()];
        Arrays.fill(owners, 0, store.ownedCount(), rank);
        Arrays.fill(owners, store.ownedCount(), owners.length, NO_OWNER);
        long all = 0;
        for (int other = 0; other < owned.length; other++) {
            all += owned[other][0];
            for (int i = 1; i < owned[other].length; i++) {
                own(store, owners, owned[other][i], other);
            }
        }
        for (int other = 0; other < wanted.length; other++) {
            for (long vertex : wanted[other]) {
                int local = find(store, vertex);
                if (local >= 0 && owners[local] == NO_OWNER) {
                    owners[local] = other; // the lowest, as workers are visited in order
                }
            }
        }
        return new ShardRows(channel, store, owners, wanted, all, cut);
    }

    private static void own(ShardStore store, int[] owners, long vertex, int owner) throws IOException {
        int local = find(store, vertex);
        if (local >= 0) {
            if (owners[local] != NO_OWNER && owners[local] != owner) {
                throw new IOException("shards %d and %d both own vertex %d; partition the graph again"
                        .formatted(owners[local], owner, vertex));
            }
            owners[local] = owner;
        }
    }

    /** Returns the local number of a vertex in a store, negative if it is absent. */
    private static int find(ShardStore store, long vertex) {
        int local = find(store, vertex, 0, store.ownedCount());
        return local >= 0 ? local : find(store, vertex, store.ownedCount(), store.vertexCount());
    }

    private static int find(ShardStore store, long vertex, int from, int to) {
        int low = from;
        int high = to - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = store.vertex(middle);
            if (found == vertex) {
                return middle;
            }
            if (found < vertex) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** Sends ids to all others; returns those of all, this worker's included. */
    private static long[][] tellAll(FrameChannel channel, int step, long cut, long[] ids)
            throws IOException, InterruptedException {
        for (int other = 0; other < channel.size(); other++) {
            if (other != channel.rank()) {
                ByteBuffer frame = ByteBuffer.allocate(Long.BYTES * (2 + ids.length));
                frame.putLong(Hashing.mix64(cut, step)).putLong(ids.length);
                frame.asLongBuffer().put(ids);
                channel.send(other, frame.position(0));
            }
        }
        long[][] all = new long[channel.size()][];
        for (int other = 0; other < all.length; other++) {
            all[other] = other == channel.rank() ? ids : ids(channel.receive(other), other, Hashing.mix64(cut, step));
        }
        return all;
    }

    private static long[] ids(ByteBuffer frame, int sender, long expected) throws IOException {
        if (frame.remaining() < 2 * Long.BYTES || frame.remaining() % Long.BYTES != 0) {
            throw new IOException("worker %d sent vertex ids in %d bytes".formatted(sender, frame.remaining()));
        }
        long found = frame.getLong();
        long count = frame.getLong();
        if (found != expected || count != frame.remaining() / Long.BYTES) {
            throw new IOException(
                    "worker %d sent %d vertex ids of another cut, or not all; give all workers the same shards and options"
                            .formatted(sender, count));
        }
        LongBuffer longs = frame.asLongBuffer();
        long[] ids = new long[longs.remaining()];
        longs.get(ids);
        return ids;
    }

    /** Returns the number of rows. */
    public int count() {
        return vertices.length;
    }

    /** Returns the number of own rows, which come first. */
    public int ownCount() {
        return ownCount;
    }

    /** Returns the id of the vertex of a row. */
    public long vertex(int row) {
        return vertices[row];
    }

    /** Returns the row of a local number of the store. */
    public int ofLocal(int local) {
        return rowOfLocal[local];
    }

    /** Returns the number of training vertices of all shards. */
    public long trainingVertices() {
        return trainingVertices;
    }

    long cut() {
        return cut;
    }

    /** Returns the own rows that another worker has. */
    int[] sentTo(int other) {
        return sent[other];
    }

    /** Returns the rows that another worker owns, in the order of its {@link #sentTo}. */
    int[] receivedFrom(int other) {
        return received[other];
    }
}
