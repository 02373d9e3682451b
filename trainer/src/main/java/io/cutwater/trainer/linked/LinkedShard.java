package io.cutwater.trainer.linked;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A shard that knows the homes of its vertices. The home of a vertex is the shard that owns it (or has its master), and
 * the lowest shard that has it if none does, because the book of a live job is behind its shards.
 *
 * <p>The home has the list of all neighbours of a vertex. In a vertex partitioning that is the shard's own list. In an
 * edge partitioning the parts of the mirrors follow, in ascending order of shards; they are copied when the shards are
 * linked. Known vertices have numbers: local numbers first, then those that only these parts name. Thread-safe: 20
 * bytes for each copy of a vertex, 4 per own vertex, and in an edge partitioning 4 for each neighbour at a mirror.
 */
public final class LinkedShard implements Home {
    private final ShardStore store;
    private final long[] foreign; // addresses of known vertices that are not owned, by number - owned
    private final int copies; // foreign vertices that are in the store
    private final SlotIndex index; // of foreign, by address
    private final int[] degrees; // by number
    private final int[] partsBegin; // by local number; empty in a vertex partitioning
    private final int[] parts; // numbers
    private final TrainingSlice slice;
    private final boolean[] areRowsSparse; // by shard
    private final @Nullable GraphAnswers[] onHost; // by shard: those of other processes whose files are here
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
        onHost = new GraphAnswers[channel.size()];
    }

    /**
     * Links a shard together with the others of its cut. It answers questions after {@link #continueIn}.
     *
     * @param id hash of the training and its cut, equal at all shards
     * @param files what other processes on this host may read; null if all shards are in this process
     * @throws IOException if the shards contradict each other; the message is meant for users
     */
    public static LinkedShard link(
            FrameChannel channel, ShardStore store, PartitioningKind kind, long id, @Nullable HostFiles files)
            throws IOException, InterruptedException {
        return new ShardLinks(channel, store, kind, id).link(files);
    }

    /** Shows this shard to other processes on this host, and opens theirs. */
    void share(LinkExchange exchange, HostFiles files) throws IOException, InterruptedException {
        boolean isAlone = IntStream.range(0, count()).allMatch(channel::isHere);
        ByteBuffer own = isAlone
                ? ByteBuffer.allocate(0)
                : files.write(store, degrees.length, this::address, this::degree, partsBegin, parts);
        ByteBuffer[] others = exchange.all(to -> channel.isHere(to) ? ByteBuffer.allocate(0) : own.duplicate());
        for (int other = 0; other < others.length; other++) {
            onHost[other] = files.open(others[other]);
        }
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

    /**
     * Returns what answers for a shard in its files on this host, except for embeddings; null if only the shard can.
     */
    @Nullable GraphAnswers onHost(int other) {
        return onHost[other];
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

    @Override
    public Features features() {
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

    @Override
    public int vertexCount() {
        return store.vertexCount();
    }

    @Override
    public long vertex(int local) {
        return store.vertex(local);
    }

    @Override
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

    @Override
    public int degree(int number) {
        return degrees[number];
    }

    @Override
    public int neighbour(int local, int position) {
        long at = store.begin(local) + position;
        long end = store.begin(local + 1);
        return at < end ? store.neighbour(at) : parts[partsBegin[local] + (int) (at - end)];
    }
}
