package io.cutwater.trainer.linked;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/**
 * A shard that knows the homes of its vertices. The home of a vertex is the shard that owns it (or has its master), and
 * the lowest shard that has it if none does, because the book of a live job is behind its shards.
 *
 * <p>The home has the list of all neighbours of a vertex. In a vertex partitioning that is the shard's own list. In an
 * edge partitioning the parts of the mirrors follow, in ascending order of shards; they are copied when the shards are
 * linked. Known vertices have numbers: local numbers first, then those that only these parts name. Thread-safe: 20
 * bytes for each copy of a vertex, 4 per own vertex, and in an edge partitioning 4 for each neighbour at a mirror.
 */
public final class LinkedShard {
    private final ShardStore store;
    private final long[] foreign; // addresses of known vertices that are not owned, by number - owned
    private final int copies; // foreign vertices that are in the store
    private final SlotIndex index; // of foreign, by address
    private final int[] degrees; // by number
    private final int[] partsBegin; // by local number; empty in a vertex partitioning
    private final int[] parts; // numbers
    private final TrainingSlice slice;
    private final boolean[] areRowsSparse; // by shard
    private volatile FrameChannel channel;

    LinkedShard(
            FrameChannel channel,
            ShardStore store,
            long[] foreign,
            SlotIndex index,
            int[] degrees,
            int[] partsBegin,
            int[] parts,
            TrainingSlice slice,
            boolean[] areRowsSparse) {
        this.channel = channel;
        this.store = store;
        this.foreign = foreign;
        copies = store.vertexCount() - store.ownedCount();
        this.index = index;
        this.degrees = degrees;
        this.partsBegin = partsBegin;
        this.parts = parts;
        this.slice = slice;
        this.areRowsSparse = areRowsSparse;
    }

    /**
     * Links a shard together with the others of its cut. It answers questions after {@link #continueIn}.
     *
     * @param id hash of the training and its cut, equal at all shards
     * @throws IOException if the shards contradict each other; the message is meant for users
     */
    public static LinkedShard link(FrameChannel channel, ShardStore store, PartitioningKind kind, long id)
            throws IOException, InterruptedException {
        return new ShardLinks(channel, store, kind, id).link();
    }

    /** Continues in a group of the same shards, and answers the questions of the others. */
    public void continueIn(FrameChannel next, GraphAnswers answers) {
        channel = next;
        next.answerWith(answers);
    }

    /** Returns the channels to the other shards. */
    public FrameChannel channel() {
        return channel;
    }

    FrameChannel.Answer ask(int shard, ByteBuffer question) {
        return channel.ask(shard, question);
    }

    /** Returns the number of shards. */
    public int count() {
        return channel.size();
    }

    /** Returns the number of this shard. */
    public int rank() {
        return store.shard();
    }

    public ShardStore store() {
        return store;
    }

    Features features() {
        return store.features();
    }

    /** Returns the training vertices of this shard's mini-batches. */
    public TrainingSlice slice() {
        return slice;
    }

    /** Returns whether the features of all shards are sparse. */
    public boolean areRowsSparse() {
        for (boolean isSparse : areRowsSparse) {
            if (!isSparse) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the features of a shard are sparse. */
    boolean hasSparseRows(int of) {
        return areRowsSparse[of];
    }

    /** Returns the address of a known vertex. */
    public long address(int number) {
        int owned = store.ownedCount();
        return number < owned ? Address.of(store.shard(), number) : foreign[number - owned];
    }

    /** Returns the local number of a vertex in this shard, negative if the shard does not have it. */
    public int localOf(long vertex) {
        if (Address.shard(vertex) == store.shard()) {
            return Address.local(vertex);
        }
        int slot = index.find(vertex, foreign);
        return slot == SlotIndex.NO_SLOT || slot >= copies ? -1 : store.ownedCount() + slot;
    }

    /** Returns whether this shard is the home of the vertex with a local number. */
    public boolean isHome(int local) {
        return Address.shard(address(local)) == store.shard();
    }

    /** Returns the number of neighbours of a known vertex in the whole graph, without self-loops. */
    public int degree(int number) {
        return degrees[number];
    }

    /** Returns the number at a position of the list of all neighbours of a vertex whose home this is. */
    private int neighbour(int local, int position) {
        long at = store.begin(local) + position;
        long end = store.begin(local + 1);
        return at < end ? store.neighbour(at) : parts[partsBegin[local] + (int) (at - end)];
    }

    /** Returns the size of a sample. */
    static int sampleSize(int degree, int fanout) {
        return fanout == SamplingOptions.ALL ? degree : Math.min(degree, fanout);
    }

    /**
     * Samples neighbours of a vertex whose home this is, without replacement. The sample is a function of the draw and
     * the vertex; a vertex with no more neighbours than the fan-out gets all of them.
     *
     * @param drawn has room for a sample
     * @param numbers receives numbers of neighbours
     */
    void sample(int local, int fanout, long draw, int[] drawn, IntConsumer numbers) {
        int total = degrees[local];
        int count = sampleSize(total, fanout);
        if (count == total) {
            for (int position = 0; position < total; position++) {
                numbers.accept(neighbour(local, position));
            }
            return;
        }
        // Floyd's algorithm (Bentley and Floyd 1987): one hash per sampled neighbour.
        long key = Hashing.mix64(draw, store.vertex(local));
        for (int i = 0; i < count; i++) {
            int last = total - count + i;
            int position = Hashing.reduce(Hashing.mix64(key, i), last + 1);
            for (int j = 0; j < i; j++) {
                if (drawn[j] == position) {
                    position = last;
                    break;
                }
            }
            drawn[i] = position;
            numbers.accept(neighbour(local, position));
        }
    }
}
