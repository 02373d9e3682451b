package io.cutwater.state.table;

import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of vertex records between tables in different tasks: whole records from one table to another, and the
 * replicas that came to a vertex since.
 */
public final class RecordExchange {
    /**
     * The replicas that came to the vertices of a table since the log was emptied, and the vertices that got another
     * home, in the order in which it happened.
     */
    public static final class NewReplicas {
        /** Stands for a vertex that got another home. */
        public static final int NO_REPLICA = -1;

        private static final int PROPOSAL = -2;

        private int[] slots = new int[64];
        private int[] partitions = new int[64];
        private int size;

        void add(int slot, int partition) {
            if (size == slots.length) {
                slots = Arrays.copyOf(slots, 2 * size);
                partitions = Arrays.copyOf(partitions, 2 * size);
            }
            slots[size] = slot;
            partitions[size++] = partition;
        }

        /** Returns the number of new replicas. */
        public int size() {
            return size;
        }

        /** Returns the slot of the vertex, which is valid as long as the vertex is in the table. */
        public int slot(int i) {
            return slots[i];
        }

        /** Returns whether an owner is proposed for the vertex, which its table is to decide. */
        public boolean isProposal(int i) {
            return partitions[i] <= PROPOSAL;
        }

        /** Returns the owner that is proposed. */
        public int proposed(int i) {
            return PROPOSAL - partitions[i];
        }

        /** Returns the partition of a new replica, or {@link #NO_REPLICA}; of no meaning for a proposal. */
        public int partition(int i) {
            return partitions[i];
        }

        public void clear() {
            size = 0;
        }
    }

    private RecordExchange() {}

    /**
     * Copies the record of a vertex, {@code layout().stride()} longs with the id first, so that another table of the
     * same layout can {@link #load} it.
     */
    public static void copy(VertexTable table, int slot, long[] into, int at) {
        System.arraycopy(table.records, slot * table.stride, into, at, table.stride);
        into[at + VertexLayout.HEADER] = VertexHeader.plain(into[at + VertexLayout.HEADER]);
    }

    /**
     * Returns records that {@link #copy} made as a table lays them out, which may be for another number of partitions;
     * the array itself if they are.
     *
     * @param stride longs of each of so many records
     */
    public static long[] fit(long[] records, int stride, int count, VertexTable into) {
        if (stride == into.stride) {
            return records;
        }
        VertexLayout from = into.layout.withStride(stride);
        long[] fitting = new long[count * into.stride];
        for (int i = 0; i < count; i++) {
            from.copyTo(into.layout, records, i * stride, fitting, i * into.stride);
        }
        return fitting;
    }

    /** Adds a record that {@link #copy} made; the vertex must not be in the table. Returns its slot. */
    public static int load(VertexTable table, long[] from, int at) {
        return table.cache().load(from, at);
    }

    /**
     * Removes a vertex from a table without a store; nothing is written.
     *
     * @throws IllegalStateException if the vertex is not in the table
     */
    public static void remove(VertexTable table, long vertex) {
        int slot = table.cache().find(vertex);
        if (slot == VertexColumns.NO_SLOT) {
            throw new IllegalStateException(
                    "vertex %d leaves a cache that it is not in; please report this as a defect".formatted(vertex));
        }
        table.cache().drop(slot);
    }

    /** Returns the slot of a vertex that is in the table itself, or {@link VertexTable#NO_SLOT}. */
    public static int find(VertexTable table, long vertex) {
        return table.cache().find(vertex);
    }

    /** Returns whether a vertex is in the table itself. */
    public static boolean has(VertexTable table, long vertex) {
        return find(table, vertex) != VertexColumns.NO_SLOT;
    }

    /** Adds a vertex with the bytes of its record; the vertex must not be in the table. */
    public static void load(VertexTable table, long vertex, byte[] stored) {
        table.cache().load(vertex, stored);
    }

    /** Returns the bytes of a vertex that is in the table. */
    public static byte[] encode(VertexTable table, long vertex) {
        return table.cache().encode(table.cache().find(vertex));
    }

    /**
     * Removes vertices, all of which are in the table; those that changed are written to its store.
     *
     * @param vertices ids, the first {@code count} entries
     */
    public static void evict(VertexTable table, long[] vertices, int count) {
        table.cache().evict(vertices, count);
    }

    /**
     * Overwrites the record of a vertex with one that another table wrote.
     *
     * @param stored the bytes of the record; null if the vertex is gone
     * @param counts counts the replicas that are new, and those that are gone
     * @return 1 if the record was empty and is not now, −1 if it is empty now and was not, else 0
     */
    public static int replace(VertexTable table, int slot, byte @Nullable [] stored, ReplicaCounts counts) {
        int base = slot * table.stride;
        int replicasAt = base + table.replicasAt;
        boolean wasEmpty = table.cache().isEmpty(slot);
        long[] before = Arrays.copyOfRange(table.records, replicasAt, replicasAt + table.replicaWords);
        long header = table.records[base + VertexLayout.HEADER];
        table.cache().replace(slot, stored);
        boolean hadReplica = VertexHeader.master(header) != VertexColumns.NO_MASTER;
        boolean hasReplica = table.master(slot) != VertexColumns.NO_MASTER;
        boolean isChanged = VertexHeader.master(header) != table.master(slot);
        for (int word = 0; word < table.replicaWords; word++) {
            long after = table.records[replicasAt + word];
            isChanged |= after != before[word];
            for (long bits = after & ~before[word]; bits != 0; bits &= bits - 1) {
                counts.add((word << 6) + Long.numberOfTrailingZeros(bits), false);
            }
            for (long bits = before[word] & ~after; bits != 0; bits &= bits - 1) {
                counts.remove((word << 6) + Long.numberOfTrailingZeros(bits));
            }
        }
        counts.addVertices((hasReplica ? 1 : 0) - (hadReplica ? 1 : 0));
        long after = table.records[base + VertexLayout.HEADER];
        boolean isRecounted = VertexHeader.degree(header) != VertexHeader.degree(after);
        long touched = isRecounted ? table.recounted(after) : table.touched(after);
        table.records[base + VertexLayout.HEADER] = isChanged ? touched | VertexHeader.UNPUBLISHED : touched;
        return (wasEmpty ? 1 : 0) - (table.cache().isEmpty(slot) ? 1 : 0);
    }

    /** Has the listener told of a vertex once more, and its record written. */
    public static void publishAgain(VertexTable table, int slot) {
        int header = slot * table.stride + VertexLayout.HEADER;
        table.records[header] = table.touched(table.records[header]) | VertexHeader.UNPUBLISHED;
    }

    /** Returns whether the record of a vertex says nothing of it. */
    public static boolean isEmpty(VertexTable table, int slot) {
        return table.cache().isEmpty(slot);
    }

    /** Forgets a vertex whose record is empty: it goes when it is written, unless it has come back. */
    public static void forgetIfEmpty(VertexTable table, int slot) {
        if (table.cache().isEmpty(slot)) {
            table.forget(slot);
        }
    }

    /**
     * Logs the replicas that come to the vertices of a table from now on, and other homes, by any change but those of
     * this class.
     */
    public static NewReplicas log(VertexTable table) {
        NewReplicas log = new NewReplicas();
        table.newReplicas = log;
        return log;
    }

    /** Logs that an owner is proposed for a vertex; the vertex does not have it yet. */
    public static void propose(VertexTable table, int slot, int owner) {
        if (table.newReplicas != null) {
            table.newReplicas.add(slot, NewReplicas.PROPOSAL - owner);
        }
    }

    /**
     * Gives a vertex an owner that was proposed, unless it has one.
     *
     * @param counts counts the replica on the owner
     * @return whether it had none
     */
    public static boolean own(VertexTable table, int slot, int owner, ReplicaCounts counts) {
        if (table.master(slot) != VertexColumns.NO_MASTER) {
            return false;
        }
        int base = slot * table.stride;
        table.records[base + table.replicasAt + (owner >>> 6)] |= 1L << owner;
        counts.add(owner, true);
        table.setMaster(slot, owner);
        return true;
    }

    /**
     * Forgets a vertex without edges that has an owner. @param counts counts the replica on the owner, which is gone
     */
    public static void disown(VertexTable table, int slot, ReplicaCounts counts) {
        counts.remove(table.master(slot));
        counts.addVertices(-1);
        table.setMaster(slot, VertexColumns.NO_MASTER);
        table.forget(slot);
    }

    /**
     * Gives a vertex that has an owner another one.
     *
     * @param counts counts the replicas that it gets and loses
     */
    public static void changeOwner(VertexTable table, int slot, int to, ReplicaCounts counts) {
        int from = table.master(slot);
        int replicasAt = slot * table.stride + table.replicasAt;
        if ((table.records[replicasAt + (to >>> 6)] & 1L << to) == 0) {
            table.records[replicasAt + (to >>> 6)] |= 1L << to;
            counts.add(to, false);
        }
        table.setMaster(slot, to);
        if (table.layout.hasHomes()) {
            table.setHome(slot, to);
        }
        if (table.countAt(slot, from, 0) == 0) {
            table.records[replicasAt + (from >>> 6)] &= ~(1L << from);
            counts.remove(from);
        }
    }

    /** Gives a vertex another owner if it is in a table without a store and has one there. */
    public static void changeOwner(VertexTable table, long vertex, int to) {
        int slot = table.cache().find(vertex);
        if (slot != VertexColumns.NO_SLOT && table.master(slot) != VertexColumns.NO_MASTER) {
            int base = slot * table.stride;
            table.records[base + table.replicasAt + (to >>> 6)] |= 1L << to;
            table.records[base + VertexLayout.HEADER] =
                    VertexHeader.withMaster(table.records[base + VertexLayout.HEADER], to);
        }
    }

    /** Hides the owner in a record that {@link #copy} made from {@code at} on, and the replicas. */
    public static void hideOwner(VertexTable table, long[] records, int at) {
        records[at + VertexLayout.HEADER] =
                VertexHeader.withMaster(records[at + VertexLayout.HEADER], VertexColumns.NO_MASTER);
        Arrays.fill(records, at + table.replicasAt, at + table.replicasAt + table.replicaWords, 0);
    }

    /** Takes the owner and the replicas of a vertex from a table without a store; nothing if it is not in the table. */
    public static void dropOwner(VertexTable table, long vertex) {
        int slot = table.cache().find(vertex);
        if (slot != VertexColumns.NO_SLOT) {
            hideOwner(table, table.records, slot * table.stride);
        }
    }

    /**
     * Counts an edge at one of its ends that has come to a partition, or has left it, with the replica that it needs.
     *
     * @param change 1 or −1
     * @param hasOwner whether the master is the owner of the vertex: then the partition is that of the edge's other
     *     end, and the vertex has a replica on its owner's in any case
     * @param counts counts the replica that is new, or gone
     * @return whether the vertex has got or lost its replica there
     */
    public static boolean countEdge(
            VertexTable table, int slot, int partition, int change, boolean hasOwner, ReplicaCounts counts) {
        int base = slot * table.stride;
        if (change > 0) {
            table.countEdge(slot);
        } else {
            table.uncountEdge(slot);
        }
        boolean isOnOwner = hasOwner && table.master(slot) == partition;
        if (table.countAt(slot, partition, change) != Math.max(0, change) || isOnOwner) {
            return false;
        }
        boolean hadNone = table.master(slot) == VertexColumns.NO_MASTER;
        table.records[base + table.replicasAt + (partition >>> 6)] ^= 1L << partition;
        table.records[base + VertexLayout.HEADER] |= VertexHeader.UNPUBLISHED;
        if (change > 0) {
            counts.add(partition, hadNone);
            if (hadNone) {
                table.setMaster(slot, partition);
            }
            return true;
        }
        counts.remove(partition);
        if (table.master(slot) == partition) {
            table.setMaster(slot, table.fullest(slot));
            counts.addVertices(table.master(slot) == VertexColumns.NO_MASTER ? -1 : 0);
        }
        return true;
    }

    /**
     * Moves the home of a vertex to a partition to which an edge of it has moved, if it has more edges there than at
     * its home.
     *
     * @return whether it has moved; false in a table without homes
     */
    public static boolean followEdges(VertexTable table, int slot, int partition) {
        if (!table.layout.hasHomes()) {
            return false;
        }
        int home = table.storedHome(slot);
        boolean isBetter = home == VertexColumns.NO_HOME
                || home >= table.layout.partitionCount()
                || table.edgesAt(slot, partition) > table.edgesAt(slot, home);
        if (home == partition || !isBetter) {
            return false;
        }
        table.setHome(slot, partition);
        return true;
    }

    /** Returns how many vertices a table of at most so many bytes has room for; a few however few the bytes. */
    public static int verticesWithin(long maxBytes, VertexLayout layout) {
        return SlotCache.slotsWithin(maxBytes, layout.stride());
    }

    /**
     * Adds to the vertex in a slot what another table knows of it. The degree becomes the larger one, the master that
     * of the other table if it has one. Edges by partition become those of the other.
     *
     * @param from a record as {@link #copy} makes it, from {@code at} on
     * @param withHints whether home, counters and cluster become those of the other table
     */
    public static void merge(VertexTable table, int slot, long[] from, int at, boolean withHints) {
        int base = slot * table.stride;
        for (int word = 0; word < table.replicaWords; word++) {
            table.records[base + table.replicasAt + word] |= from[at + table.replicasAt + word];
        }
        long header = table.records[base + VertexLayout.HEADER];
        long other = from[at + VertexLayout.HEADER];
        int master = VertexHeader.master(other) == VertexColumns.NO_MASTER
                ? VertexHeader.master(header)
                : VertexHeader.master(other);
        long missing = Math.max(0, VertexHeader.degree(other) - VertexHeader.degree(header));
        table.records[base + VertexLayout.HEADER] = VertexHeader.withMaster(header, master) + missing;
        if (withHints) {
            int hintsAt = table.layout.homes();
            System.arraycopy(from, at + hintsAt, table.records, base + hintsAt, table.layout.hintWords());
        }
        int countsAt = table.layout.counts();
        System.arraycopy(from, at + countsAt, table.records, base + countsAt, table.stride - countsAt);
    }

    /** Takes down the replicas of the vertex in a slot, which another table is about to tell. */
    public static void dropReplicas(VertexTable table, int slot) {
        int from = slot * table.stride + table.replicasAt;
        Arrays.fill(table.records, from, from + table.replicaWords, 0);
    }

    /** Copies home, counters and cluster of a vertex, {@link VertexLayout#hintWords} words. */
    public static void copyHints(VertexTable table, int slot, long[] into, int at) {
        System.arraycopy(table.records, slot * table.stride + table.layout.homes(), into, at, table.layout.hintWords());
    }

    /** Gives a vertex home, counters and cluster that {@link #copyHints} has copied from another table. */
    public static void setHints(VertexTable table, int slot, long[] from, int at) {
        int base = slot * table.stride;
        System.arraycopy(from, at, table.records, base + table.layout.homes(), table.layout.hintWords());
        table.touch(base);
    }

    /**
     * Adds replicas that are known from elsewhere and counted already.
     *
     * @param from words of a replica set, from {@code at} on
     * @param master the master, unless the vertex has one; or {@link #NO_MASTER}
     */
    public static void unite(VertexTable table, int slot, long[] from, int at, int master) {
        int base = slot * table.stride;
        for (int word = 0; word < table.replicaWords; word++) {
            table.records[base + table.replicasAt + word] |= from[at + word];
        }
        if (table.master(slot) == VertexColumns.NO_MASTER) {
            table.records[base + VertexLayout.HEADER] |= VertexHeader.of(0, master);
        }
    }

    /**
     * Puts the vertex on partitions that were chosen elsewhere.
     *
     * @param update vertex {@code i} of it names them, and the master of a vertex that has none here
     * @param counts counts the replicas that are new
     */
    public static void addReplicas(VertexTable table, int slot, VertexBatch update, int i, ReplicaCounts counts) {
        int base = slot * table.stride;
        long header = table.records[base + VertexLayout.HEADER];
        boolean isFirst = VertexHeader.master(header) == VertexColumns.NO_MASTER;
        boolean isChanged = false;
        int[] replicas = update.replicas();
        for (int r = update.replicasFrom(i); r < update.replicasFrom(i + 1); r++) {
            int word = base + table.replicasAt + (replicas[r] >>> 6);
            long bit = 1L << replicas[r];
            if ((table.records[word] & bit) == 0) {
                table.records[word] |= bit;
                counts.add(replicas[r], isFirst && !isChanged);
                isChanged = true;
            }
        }
        if (isChanged) {
            long master = isFirst ? VertexHeader.of(0, update.master(i)) : 0;
            table.records[base + VertexLayout.HEADER] = table.touched(header) | VertexHeader.UNPUBLISHED | master;
        }
    }
}
