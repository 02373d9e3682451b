package io.cutwater.state.table;

import io.cutwater.state.graph.VertexBatch;

/**
 * The exchange of vertex records between tables in different tasks: whole records from one table to another, and the
 * replicas that came to a vertex since.
 */
public final class RecordExchange {
    private RecordExchange() {}

    /**
     * Copies the record of a vertex, {@code layout().stride()} longs with the id first, so that another table of the
     * same layout can {@link #load} it.
     */
    public static void copy(VertexTable table, int slot, long[] into, int at) {
        System.arraycopy(table.records, slot * table.stride, into, at, table.stride);
        into[at + VertexLayout.HEADER] = VertexHeader.plain(into[at + VertexLayout.HEADER]);
    }

    /** Adds a record that {@link #copy} made; the vertex must not be in the table. Returns its slot. */
    public static int load(VertexTable table, long[] from, int at) {
        return table.cache().load(from, at);
    }

    /** Removes every vertex of a table without a store, and keeps the memory. */
    public static void clear(VertexTable table) {
        table.cache().clear();
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
     * Appends the replicas that a vertex has now and had not before, with its master; nothing if none is new.
     *
     * @param before its record as {@link #copy} made it, from {@code at} on
     */
    public static void appendAdded(VertexTable table, VertexBatch into, int slot, long[] before, int at) {
        boolean isAdded = false;
        for (int word = 0; word < table.replicaWords; word++) {
            long now = table.records[slot * table.stride + table.replicasAt + word];
            for (long bits = now & ~before[at + table.replicasAt + word]; bits != 0; bits &= bits - 1) {
                if (!isAdded) {
                    into.add(table.vertex(slot), 0, table.master(slot));
                    isAdded = true;
                }
                into.addReplica((word << 6) + Long.numberOfTrailingZeros(bits));
            }
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
