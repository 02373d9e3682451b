package io.cutwater.trainer.sync;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.linked.Address;
import io.cutwater.trainer.linked.GraphReader;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowTable;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.training.LearnedInputs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The learned rows of the vertices at home in a shard. In each step every shard pushes the gradients of its mini-batch
 * to the homes of their rows. If several shards have a gradient of a row, the home takes their mean, weighted by the
 * training vertices of the mini-batches, in the order of the shards.
 *
 * <p>A push is little-endian: training vertices (4 bytes), rows (4), local numbers (4 each), gradients (4 per value).
 */
final class ShardEmbeddings implements LearnedInputs, RowTable {
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int HEAD = 2 * Integer.BYTES;
    private static final long[] NO_VERTICES = {};
    private static final float[] NO_GRADIENTS = {};

    private final LinkedShard shard;
    private final GraphReader reader;
    private final WorkCounters counters;
    private final int width;
    private final long seed;
    private final int[] homes; // local numbers by row of the table, ascending
    private final EmbeddingTable table;
    private final BitSet changed; // rows of the round
    private Push announced = new Push(NO_VERTICES, NO_GRADIENTS, 0);

    /** The gradients of a shard's mini-batch. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Push(long[] vertices, float[] gradients, int seeds) {}

    /** @param before rows of an earlier round */
    ShardEmbeddings(LinkedShard shard, EmbeddingRows before, double learningRate, WorkCounters counters) {
        this.shard = shard;
        this.counters = counters;
        reader = new GraphReader(shard);
        width = before.width();
        seed = before.seed();
        homes = IntStream.range(0, shard.store().vertexCount())
                .filter(shard::isHome)
                .toArray();
        table = new EmbeddingTable(
                Arrays.stream(homes).mapToLong(shard.store()::vertex).toArray(), before, learningRate);
        changed = new BitSet(homes.length);
    }

    /** Returns the row of a vertex at home: owned vertices have the lowest local numbers. */
    private int row(int local) {
        return local < homes.length && homes[local] == local ? local : Arrays.binarySearch(homes, local);
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public void copyRow(int local, FloatBuffer into) {
        int row = row(local);
        if (row < 0) {
            throw new IllegalArgumentException("it does not have the embedding of vertex " + local);
        }
        table.read(row, into);
    }

    @Override
    public float[] read(long[] vertices) throws IOException, InterruptedException {
        FloatBuffer rows = FloatBuffer.allocate(Math.multiplyExact(vertices.length, width));
        reader.rows(GraphLayers.EMBEDDINGS, false, width, vertices, vertices.length, rows);
        long local = Arrays.stream(vertices)
                .filter(vertex -> Address.shard(vertex) == shard.rank())
                .count();
        counters.add(new Traffic(reader.takeBytes(), 0, 0, 0, 0), new Locality(0, 0, vertices.length, local));
        return rows.array();
    }

    @Override
    public void announce(long[] vertices, float[] gradients, int seeds) {
        announced = new Push(vertices, gradients, seeds);
    }

    @Override
    public void update() throws IOException, InterruptedException {
        Push own = announced;
        announced = new Push(NO_VERTICES, NO_GRADIENTS, 0);
        FrameChannel channel = shard.channel();
        long sent = 0;
        ByteBuffer toSelf = push(own, shard.rank());
        for (int home = 0; home < channel.size(); home++) {
            if (home != shard.rank()) {
                ByteBuffer frame = push(own, home);
                sent += frame.remaining();
                channel.send(home, frame);
            }
        }
        counters.add(new Traffic(0, 0, sent, 0, 0), Locality.NONE);
        ByteBuffer[] pushes = new ByteBuffer[channel.size()];
        for (int from = 0; from < pushes.length; from++) {
            pushes[from] = (from == shard.rank() ? toSelf : channel.receive(from)).order(ORDER);
        }
        apply(pushes);
    }

    private ByteBuffer push(Push of, int home) {
        int count = 0;
        for (long vertex : of.vertices()) {
            count += Address.shard(vertex) == home ? 1 : 0;
        }
        ByteBuffer frame = ByteBuffer.allocate(
                        Math.addExact(HEAD, Math.multiplyExact(count, (1 + width) * Float.BYTES)))
                .order(ORDER)
                .putInt(of.seeds())
                .putInt(count);
        for (long vertex : of.vertices()) {
            if (Address.shard(vertex) == home) {
                frame.putInt(Address.local(vertex));
            }
        }
        for (int i = 0; i < of.vertices().length; i++) {
            if (Address.shard(of.vertices()[i]) == home) {
                for (int column = 0; column < width; column++) {
                    frame.putFloat(of.gradients()[i * width + column]);
                }
            }
        }
        return frame.flip();
    }

    private void apply(ByteBuffer[] pushes) throws IOException {
        int most = 1;
        for (int from = 0; from < pushes.length; from++) {
            ByteBuffer push = pushes[from];
            int count = push.remaining() < HEAD ? -1 : push.getInt(push.position() + Integer.BYTES);
            if (count < 0 || push.remaining() != HEAD + (long) count * (1 + width) * Float.BYTES) {
                throw new IOException(
                        "shard %d sent %d gradients of embeddings in %d bytes; run all processes with the same version and --embeddings"
                                .formatted(from, count, push.remaining()));
            }
            most = Math.addExact(most, count);
        }
        long[] touched = new long[most];
        SlotIndex index = new SlotIndex(1, most);
        double[] sums = new double[Math.multiplyExact(most, width)];
        double[] weights = new double[most];
        int count = 0;
        for (ByteBuffer push : pushes) {
            int seeds = push.getInt();
            int rows = push.getInt();
            int gradients = push.position() + rows * Integer.BYTES;
            for (int i = 0; i < rows; i++) {
                int row = row(push.getInt());
                if (row < 0) {
                    throw new IOException(
                            "a gradient of an embedding that shard %d does not have".formatted(shard.rank()));
                }
                int slot = index.find(row, touched);
                if (slot == SlotIndex.NO_SLOT) {
                    slot = count++;
                    touched[slot] = row;
                    index.insert(row, slot);
                }
                weights[slot] += seeds;
                for (int column = 0; column < width; column++) {
                    sums[slot * width + column] +=
                            (double) seeds * push.getFloat(gradients + (i * width + column) * Float.BYTES);
                }
            }
        }
        for (int slot = 0; slot < count; slot++) {
            table.update((int) touched[slot], sums, slot * width, weights[slot]);
            changed.set((int) touched[slot]);
        }
    }

    /** Returns the rows that changed since the last call. */
    EmbeddingRows takeChanged() {
        int[] rows = changed.stream()
                .boxed()
                .sorted(Comparator.comparingLong(row -> shard.store().vertex(homes[row])))
                .mapToInt(Integer::intValue)
                .toArray();
        changed.clear();
        EmbeddingRows taken = EmbeddingRows.room(seed, width, rows.length);
        for (int at = 0; at < rows.length; at++) {
            taken.vertices()[at] = shard.store().vertex(homes[rows[at]]);
            table.copy(rows[at], taken, at);
        }
        return taken;
    }
}
