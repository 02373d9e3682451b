package io.cutwater.trainer.sync;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * All shards of a cut as one graph. The home of a vertex is the shard that owns it (or has its master), and the lowest
 * shard that has it if none does, because the book of a live job is behind its shards. A vertex is addressed by its
 * home and its local number there.
 *
 * <p>In a vertex partitioning the home has all neighbours of a vertex. In an edge partitioning each replica has a part
 * of them: the list of all neighbours is the part of the home, then those of the mirrors in ascending order of shards.
 * A sample is a choice of positions in that list, so nobody needs the whole list: the home knows the lengths of the
 * parts, and each replica returns what is at the chosen positions of its part. Immutable; 8 bytes per copy of a vertex,
 * 8 more per mirror, and 8 per vertex.
 */
final class LinkedShards {
    private static final int MAX_VERTICES = 1 << 29;

    private final ShardStore[] stores;
    private final long[][] homes; // by shard: addresses of the vertices after the owned ones
    private final SlotIndex[] copies; // by shard: slots in homes, by address
    private final long[][] parts; // by shard: addresses of mirrors with neighbours, by local number of the home
    private final int[][] partsBegin;
    private final int[][] totals; // by shard: number of all neighbours, by local number of the home

    /**
     * Links shards.
     *
     * @param stores all shards of a cut, in order
     * @throws IOException if two shards own a vertex; the message is meant for users
     */
    LinkedShards(List<ShardStore> stores, PartitioningKind kind) throws IOException {
        this.stores = stores.toArray(ShardStore[]::new);
        homes = findHomes();
        copies = new SlotIndex[homes.length];
        totals = new int[homes.length][];
        partsBegin = new int[homes.length][];
        parts = new long[homes.length][];
        for (int shard = 0; shard < homes.length; shard++) {
            copies[shard] = new SlotIndex(1, Math.max(1, homes[shard].length));
            for (int slot = 0; slot < homes[shard].length; slot++) {
                copies[shard].insert(homes[shard][slot], slot);
            }
            ShardStore store = this.stores[shard];
            totals[shard] = new int[store.vertexCount()];
            for (int local = 0; local < store.vertexCount(); local++) {
                totals[shard][local] = own(shard, local);
            }
            partsBegin[shard] = new int[store.vertexCount() + 1];
        }
        if (kind == PartitioningKind.EDGE) {
            countParts();
        }
        placeParts(kind == PartitioningKind.EDGE);
    }

    static long address(int shard, int local) {
        return (long) shard << Integer.SIZE | local;
    }

    static int shard(long vertex) {
        return (int) (vertex >>> Integer.SIZE);
    }

    static int local(long vertex) {
        return (int) vertex;
    }

    private long[][] findHomes() throws IOException {
        long count = 0;
        for (ShardStore store : stores) {
            count += store.ownedCount();
        }
        if (count > MAX_VERTICES) {
            throw new IOException("%,d vertices are too many for one process; use --mode local".formatted(count));
        }
        long[] ids = new long[(int) count + 1];
        long[] addresses = new long[ids.length];
        SlotIndex index = new SlotIndex(1, ids.length);
        int next = 0;
        for (ShardStore store : stores) {
            for (int local = 0; local < store.ownedCount(); local++) {
                int before = index.find(store.vertex(local), ids);
                if (before != SlotIndex.NO_SLOT) {
                    throw new IOException("shards %d and %d both own vertex %d; partition the graph again"
                            .formatted(shard(addresses[before]), store.shard(), store.vertex(local)));
                }
                ids[next] = store.vertex(local);
                addresses[next] = address(store.shard(), local);
                index.insert(ids[next], next++);
            }
        }
        long[][] found = new long[stores.length][];
        for (ShardStore store : stores) {
            long[] of = new long[store.vertexCount() - store.ownedCount()];
            for (int slot = 0; slot < of.length; slot++) {
                long id = store.vertex(store.ownedCount() + slot);
                int at = index.find(id, ids);
                if (at == SlotIndex.NO_SLOT) {
                    if (next == ids.length) {
                        ids = Arrays.copyOf(ids, 2 * next);
                        addresses = Arrays.copyOf(addresses, 2 * next);
                        index.grow(ids.length, next, ids);
                    }
                    ids[next] = id;
                    addresses[next] = address(store.shard(), store.ownedCount() + slot);
                    at = next;
                    index.insert(id, next++);
                }
                of[slot] = addresses[at];
            }
            found[store.shard()] = of;
        }
        return found;
    }

    private void countParts() {
        forEachPart((home, mirror) -> {
            int local = local(home);
            partsBegin[shard(home)][local + 1]++;
            totals[shard(home)][local] = Math.addExact(totals[shard(home)][local], own(shard(mirror), local(mirror)));
        });
    }

    private void placeParts(boolean hasParts) {
        int[][] next = new int[stores.length][];
        for (int shard = 0; shard < stores.length; shard++) {
            int[] begin = partsBegin[shard];
            for (int local = 0; local < begin.length - 1; local++) {
                begin[local + 1] += begin[local];
            }
            parts[shard] = new long[begin[begin.length - 1]];
            next[shard] = begin.clone();
        }
        if (hasParts) {
            forEachPart((home, mirror) -> parts[shard(home)][next[shard(home)][local(home)]++] = mirror);
        }
    }

    private interface PartConsumer {
        void accept(long home, long mirror);
    }

    private void forEachPart(PartConsumer consumer) {
        for (ShardStore store : stores) {
            for (int local = store.ownedCount(); local < store.vertexCount(); local++) {
                long home = home(store.shard(), local);
                if (shard(home) != store.shard() && own(store.shard(), local) > 0) {
                    consumer.accept(home, address(store.shard(), local));
                }
            }
        }
    }

    private int own(int shard, int local) {
        return Math.toIntExact(stores[shard].begin(local + 1) - stores[shard].begin(local));
    }

    int count() {
        return stores.length;
    }

    ShardStore store(int shard) {
        return stores[shard];
    }

    /** Returns the address of a vertex that a shard has under a local number. */
    long home(int shard, int local) {
        int owned = stores[shard].ownedCount();
        return local < owned ? address(shard, local) : homes[shard][local - owned];
    }

    /** Returns the local number of a vertex in a shard, negative if the shard does not have it. */
    int localIn(int shard, long vertex) {
        if (shard(vertex) == shard) {
            return local(vertex);
        }
        int slot = copies[shard].find(vertex, homes[shard]);
        return slot == SlotIndex.NO_SLOT ? -1 : stores[shard].ownedCount() + slot;
    }

    /** Returns the vertices whose home is a shard, ascending local numbers. */
    int[] verticesAt(int shard) {
        ShardStore store = stores[shard];
        int[] found = new int[store.vertexCount()];
        int count = 0;
        for (int local = 0; local < found.length; local++) {
            if (home(shard, local) == address(shard, local)) {
                found[count++] = local;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** Returns the number of neighbours of a vertex in the whole graph, without self-loops. */
    int degree(long vertex) {
        return totals[shard(vertex)][local(vertex)];
    }

    /** Receives neighbours. */
    interface NeighbourConsumer {
        /** @param at shard that has the edge */
        void accept(long neighbour, int at);
    }

    /** Reads all neighbours of a vertex. */
    void neighbours(long vertex, NeighbourConsumer consumer) {
        readPart(vertex, consumer);
        int shard = shard(vertex);
        for (int i = partsBegin[shard][local(vertex)]; i < partsBegin[shard][local(vertex) + 1]; i++) {
            readPart(parts[shard][i], consumer);
        }
    }

    private void readPart(long replica, NeighbourConsumer consumer) {
        int shard = shard(replica);
        ShardStore store = stores[shard];
        long end = store.begin(local(replica) + 1);
        for (long at = store.begin(local(replica)); at < end; at++) {
            consumer.accept(home(shard, store.neighbour(at)), shard);
        }
    }

    /** Reads the neighbour at a position, from 0, of the list of all neighbours of a vertex. */
    void neighbour(long vertex, int position, NeighbourConsumer consumer) {
        int shard = shard(vertex);
        long replica = vertex;
        int left = position;
        int next = partsBegin[shard][local(vertex)];
        for (int own = own(shard, local(vertex)); left >= own; own = own(shard(replica), local(replica))) {
            left -= own;
            replica = parts[shard][next++];
        }
        ShardStore at = stores[shard(replica)];
        consumer.accept(home(at.shard(), at.neighbour(at.begin(local(replica)) + left)), at.shard());
    }

    /**
     * Returns the training vertices of a shard's mini-batches: an equal part, up to 1 vertex, of all training vertices.
     * As many as possible are its own; what others have too many follows, in the order of the shards.
     */
    long[] slice(int shard) {
        int[][] own = new int[stores.length][];
        long all = 0;
        for (int each = 0; each < own.length; each++) {
            own[each] = stores[each].verticesOf(VertexSplit.TRAIN);
            all += own[each].length;
        }
        long[] slice = new long[quota(all, shard)];
        int count = Math.min(slice.length, own[shard].length);
        for (int i = 0; i < count; i++) {
            slice[i] = address(shard, own[shard][i]);
        }
        long given = 0; // to the shards before this one
        for (int each = 0; each < shard; each++) {
            given += Math.max(0, quota(all, each) - own[each].length);
        }
        for (int each = 0; each < own.length && count < slice.length; each++) {
            for (int i = quota(all, each); i < own[each].length && count < slice.length; i++) {
                if (given-- <= 0) {
                    slice[count++] = address(each, own[each][i]);
                }
            }
        }
        return slice;
    }

    private int quota(long all, int shard) {
        return Math.toIntExact(all * (shard + 1) / stores.length - all * shard / stores.length);
    }
}
