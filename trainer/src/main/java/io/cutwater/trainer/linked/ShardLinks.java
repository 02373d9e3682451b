package io.cutwater.trainer.linked;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Links a shard in steps, in each of which every shard tells every other one something: who has which vertices, the
 * neighbours at mirrors, numbers of neighbours, and training vertices. Used once.
 */
final class ShardLinks {
    private static final long UNKNOWN = -1;
    private static final int NOT_HERE = -1;

    private final LinkExchange exchange;
    private final ShardStore store;
    private final PartitioningKind kind;
    private final int rank;
    private final int shards;
    private final int owned;
    private long[] foreign; // see LinkedShard
    private int foreignCount;
    private SlotIndex index;
    private final boolean[] areRowsSparse; // by shard
    private final long[] trained; // by shard: number of training vertices

    ShardLinks(FrameChannel channel, ShardStore store, PartitioningKind kind, long id) {
        exchange = new LinkExchange(channel, id);
        this.store = store;
        this.kind = kind;
        rank = channel.rank();
        shards = channel.size();
        owned = store.ownedCount();
        foreignCount = store.vertexCount() - owned;
        foreign = new long[foreignCount];
        Arrays.fill(foreign, UNKNOWN);
        index = new SlotIndex(1, Math.max(1, foreignCount));
        trained = new long[shards];
        areRowsSparse = new boolean[shards];
    }

    LinkedShard link(@Nullable HostFiles files) throws IOException, InterruptedException {
        OneOwner.require(exchange, store);
        findHomes();
        int[] begin = {};
        int[] parts = {};
        if (kind == PartitioningKind.EDGE) {
            ByteBuffer[] ofMirrors = exchange.all(this::neighboursFor);
            begin = partsBegin(ofMirrors);
            parts = parts(ofMirrors, begin);
        }
        int[] degrees = degrees(begin);
        TrainingSlice slice = TrainingSlice.deal(exchange, store, trained, degrees);
        LinkedShard linked = new LinkedShard(
                exchange.channel(),
                store,
                Arrays.copyOf(foreign, Math.max(1, foreignCount)),
                index,
                degrees,
                begin,
                parts,
                slice,
                areRowsSparse);
        if (files != null) {
            linked.share(exchange, files);
        }
        return linked;
    }

    private void findHomes() throws IOException, InterruptedException {
        boolean isSparse = store.features() instanceof SparseFeatures;
        int columns = store.features().columns();
        int[] own = store.verticesOf(VertexSplit.TRAIN);
        ByteBuffer[] told = exchange.all(to -> {
            ByteBuffer ids = LinkExchange.buffer(4L * Integer.BYTES + (long) foreignCount * Long.BYTES);
            ids.putInt(owned).putInt(columns).putInt(isSparse ? 1 : 0).putInt(own.length);
            for (int local = owned; local < store.vertexCount(); local++) {
                ids.putLong(store.vertex(local));
            }
            return ids.flip();
        });
        int[] ownedBy = new int[shards];
        for (int other = 0; other < shards; other++) {
            ownedBy[other] = told[other].getInt();
            int columnsThere = told[other].getInt();
            if (columnsThere != columns) {
                throw new IOException(
                        "shard %d has %d features per vertex, but shard %d has %d; give all workers the same --features"
                                .formatted(rank, columns, other, columnsThere));
            }
            areRowsSparse[other] = told[other].getInt() == 1;
            trained[other] = told[other].getInt();
        }
        ByteBuffer[] answers = exchange.all(to -> owned(told[to].duplicate().order(LinkExchange.ORDER)));
        for (int other = 0; other < shards; other++) {
            while (answers[other].remaining() >= 2 * Integer.BYTES) {
                int slot = answers[other].getInt();
                foreign[slot] = Address.of(other, answers[other].getInt());
            }
        }
        for (int other = 0; other < shards; other++) { // the lowest shard that has it is the home of the rest
            for (int slot = 0; told[other].hasRemaining(); slot++) {
                int local = find(told[other].getLong(), owned, store.vertexCount());
                if (local >= 0 && foreign[local - owned] == UNKNOWN) {
                    foreign[local - owned] = Address.of(other, ownedBy[other] + slot);
                }
            }
        }
        for (int slot = 0; slot < foreignCount; slot++) {
            index.insert(foreign[slot], slot);
        }
    }

    /** Returns the positions of the ids that this shard owns, each with its local number. */
    private ByteBuffer owned(ByteBuffer ids) throws IOException {
        ByteBuffer found = LinkExchange.buffer(ids.remaining());
        for (int slot = 0; ids.hasRemaining(); slot++) {
            int local = find(ids.getLong(), 0, owned);
            if (local >= 0) {
                found.putInt(slot).putInt(local);
            }
        }
        return found.flip();
    }

    /** Returns the local number of a vertex among some, whose ids ascend; negative if it is absent. */
    private int find(long vertex, int from, int to) {
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
        return NOT_HERE;
    }

    private int own(int local) {
        return Math.toIntExact(store.begin(local + 1) - store.begin(local));
    }

    private long address(int number) {
        return number < owned ? Address.of(rank, number) : foreign[number - owned];
    }

    /** Returns the local number, the number of neighbours and the neighbours of each vertex that is at home there. */
    private ByteBuffer neighboursFor(int home) throws IOException {
        long bytes = 0;
        for (int local = owned; local < store.vertexCount(); local++) {
            if (isMirrorOf(home, local)) {
                bytes += 2 * Integer.BYTES + (long) own(local) * Long.BYTES;
            }
        }
        ByteBuffer lists = LinkExchange.buffer(bytes);
        for (int local = owned; bytes > 0 && local < store.vertexCount(); local++) {
            if (isMirrorOf(home, local)) {
                lists.putInt(Address.local(address(local))).putInt(own(local));
                for (long at = store.begin(local); at < store.begin(local + 1); at++) {
                    lists.putLong(address(store.neighbour(at)));
                }
            }
        }
        return lists.flip();
    }

    private boolean isMirrorOf(int home, int local) {
        return home != rank && Address.shard(address(local)) == home && own(local) > 0;
    }

    private int[] partsBegin(ByteBuffer[] lists) throws IOException {
        int[] begin = new int[store.vertexCount() + 1];
        for (ByteBuffer each : lists) {
            ByteBuffer list = each.duplicate().order(LinkExchange.ORDER);
            while (list.hasRemaining()) {
                int local = list.getInt();
                int count = list.getInt();
                if (local < 0 || local >= store.vertexCount() || count < 1 || count > list.remaining() / Long.BYTES) {
                    throw new IOException("a mirror sent %d neighbours of vertex %d, which shard %d does not have"
                            .formatted(count, local, rank));
                }
                begin[local + 1] = Math.addExact(begin[local + 1], count);
                list.position(list.position() + count * Long.BYTES);
            }
        }
        for (int local = 0; local < store.vertexCount(); local++) {
            begin[local + 1] = Math.addExact(begin[local + 1], begin[local]);
        }
        return begin;
    }

    private int[] parts(ByteBuffer[] lists, int[] begin) {
        int[] next = begin.clone();
        int[] parts = new int[begin[begin.length - 1]];
        for (ByteBuffer list : lists) {
            while (list.hasRemaining()) {
                int local = list.getInt();
                for (int left = list.getInt(); left > 0; left--) {
                    parts[next[local]++] = number(list.getLong());
                }
            }
        }
        return parts;
    }

    private int number(long vertex) {
        if (Address.shard(vertex) == rank) {
            return Address.local(vertex);
        }
        int slot = index.find(vertex, foreign);
        if (slot == SlotIndex.NO_SLOT) {
            if (foreignCount == foreign.length) {
                foreign = Arrays.copyOf(foreign, Math.max(16, 2 * foreignCount));
                index.grow(foreign.length, foreignCount, foreign);
            }
            slot = foreignCount++;
            foreign[slot] = vertex;
            index.insert(vertex, slot);
        }
        return owned + slot;
    }

    /** Returns the number of all neighbours of each known vertex, which its home knows. */
    private int[] degrees(int[] begin) throws IOException, InterruptedException {
        int[] degrees = new int[owned + foreignCount];
        int[] counts = new int[shards];
        for (int number = 0; number < degrees.length; number++) {
            counts[Address.shard(address(number))]++;
            if (number < store.vertexCount()) {
                degrees[number] = Math.addExact(own(number), begin.length == 0 ? 0 : begin[number + 1] - begin[number]);
            }
        }
        ByteBuffer[] wanted = exchange.all(home -> {
            ByteBuffer locals = LinkExchange.buffer(home == rank ? 0 : (long) counts[home] * Integer.BYTES);
            for (int number = owned; home != rank && number < degrees.length; number++) {
                if (Address.shard(address(number)) == home) {
                    locals.putInt(Address.local(address(number)));
                }
            }
            return locals.flip();
        });
        ByteBuffer[] answers = exchange.all(to -> {
            ByteBuffer found = LinkExchange.buffer(wanted[to].remaining());
            while (wanted[to].hasRemaining()) {
                found.putInt(degrees[wanted[to].getInt()]);
            }
            return found.flip();
        });
        for (int number = owned; number < degrees.length; number++) {
            int home = Address.shard(address(number));
            if (home != rank) {
                degrees[number] = answers[home].getInt();
            }
        }
        return degrees;
    }
}
