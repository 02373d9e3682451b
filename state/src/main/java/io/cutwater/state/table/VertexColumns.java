package io.cutwater.state.table;

import io.cutwater.state.PublicApi;
import io.cutwater.state.graph.SlotIndex;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the vertices that a {@link VertexTable} holds, by slot: what a rule reads, and the few columns that it
 * may change. A slot is valid during the call in which a rule gets it.
 *
 * <p>Implementation. {@code records} holds {@code stride} longs per slot (see {@link VertexLayout}), so that the id,
 * which a probe compares, and the columns, which the rule reads, share a cache line. This is a class and not an
 * interface, so that calls in the inner loops of rules are bound without a type check.
 */
@PublicApi
public abstract sealed class VertexColumns permits VertexTable {
    public static final int NO_SLOT = SlotIndex.NO_SLOT;
    public static final int NO_MASTER = -1;
    public static final int NO_HOME = -1;
    public static final int NO_CLUSTER = -1;

    VertexLayout layout;
    int stride;
    int replicasAt;
    int replicaWords;
    long[] records;
    int dirtyCount;

    RecordExchange.@Nullable NewReplicas newReplicas;

    private int homesAt;
    private int clusterAt;
    private long[] openWords;
    private int openPartitions;

    VertexColumns(VertexLayout layout, int slots) {
        lay(layout, slots);
    }

    /** Empties it, for records of another layout. */
    final void lay(VertexLayout wanted, int slots) {
        layout = wanted;
        stride = layout.stride();
        homesAt = layout.homes();
        clusterAt = layout.cluster();
        replicasAt = layout.replicas();
        replicaWords = layout.replicaWords();
        openWords = new long[replicaWords];
        records = new long[slots * stride];
        open(layout.partitionCount());
    }

    final void open(int open) {
        openPartitions = open;
        for (int word = 0; word < replicaWords; word++) {
            int bits = Math.max(0, Math.min(Long.SIZE, open - word * Long.SIZE));
            openWords[word] = bits == 0 ? 0 : -1L >>> Long.SIZE - bits;
        }
    }

    public final VertexLayout layout() {
        return layout;
    }

    public final long vertex(int slot) {
        return records[slot * stride];
    }

    /** Edges seen at the vertex in the placing pass, self-loops twice. */
    public final long degree(int slot) {
        return VertexHeader.degree(records[slot * stride + VertexLayout.HEADER]);
    }

    /** Edges of the whole input at the vertex. Only in a layout that has it. */
    public final long finalDegree(int slot) {
        return records[slot * stride + VertexLayout.FINAL_DEGREE];
    }

    /**
     * The partition of the vertex's first edge, or where {@link VertexTable#removeReplica} has moved it; or
     * {@link #NO_MASTER}.
     */
    public final int master(int slot) {
        return VertexHeader.master(records[slot * stride + VertexLayout.HEADER]);
    }

    public final boolean hasReplica(int slot, int partition) {
        return (replicaWord(slot, partition >>> 6) & (1L << partition)) != 0;
    }

    /** Word {@code word} of the replica set: bit b stands for partition 64 · word + b. */
    public final long replicaWord(int slot, int word) {
        return records[slot * stride + replicasAt + word] & openWords[word];
    }

    /** Words of a replica set: ⌈k / 64⌉. */
    public final int replicaWords() {
        return replicaWords;
    }

    /** Partitions where the vertex is, open or not. */
    public final int replicaCount(int slot) {
        int count = 0;
        for (int word = 0; word < replicaWords; word++) {
            count += Long.bitCount(records[slot * stride + replicasAt + word]);
        }
        return count;
    }

    /**
     * Edges of the vertex on a partition, as {@link VertexTable#countAt} has counted them. Only in a layout that has
     * counts.
     */
    public final long edgesAt(int slot, int partition) {
        return layout.count(records, slot * stride, partition);
    }

    /**
     * The partition that the vertex is drawn to, or {@link #NO_HOME} if it has none or one that is not open. Only in a
     * layout that has homes.
     */
    public final int home(int slot) {
        int home = storedHome(slot);
        return home < openPartitions ? home : NO_HOME;
    }

    /** Returns the {@link #home}, also if it is closed, or gone since there are fewer partitions. */
    public final int storedHome(int slot) {
        return NeighbourHomes.home(records[slot * stride + homesAt + 1]);
    }

    /** The weights of the counters, to be taken apart by {@link NeighbourHomes#weight}. */
    public final long neighbourHomeWeights(int slot) {
        return records[slot * stride + homesAt];
    }

    /** The partitions of the counters, to be taken apart by {@link NeighbourHomes#partition}. */
    public final long neighbourHomePlaces(int slot) {
        return records[slot * stride + homesAt + 1];
    }

    /** The cluster, 0 or more, or {@link #NO_CLUSTER}. Only in a layout that has clusters, if one task numbers them. */
    public final int cluster(int slot) {
        return (int) ClusterLabel.id(records[slot * stride + clusterAt]) - 1;
    }

    /** The cluster, and what is known of it; 0 for none. Only in a layout that has clusters. */
    public final long clusterLabel(int slot) {
        return records[slot * stride + clusterAt];
    }

    /** @param home a partition, or {@link #NO_HOME} */
    public final void setHome(int slot, int home) {
        int base = slot * stride;
        records[base + homesAt + 1] = NeighbourHomes.withHome(records[base + homesAt + 1], home);
        touch(base);
        if (newReplicas != null) {
            newReplicas.add(slot, RecordExchange.NewReplicas.NO_REPLICA);
        }
    }

    /** Counts a neighbour's home at the vertex, after the counters have decayed. */
    public final void countNeighbourHome(int slot, int home) {
        int base = slot * stride;
        long weights = NeighbourHomes.decayed(records[base + homesAt]);
        long places = records[base + homesAt + 1];
        int counter = NeighbourHomes.counterOf(home, weights, places);
        boolean isItsOwn = NeighbourHomes.partition(places, counter) == home;
        int weight = (isItsOwn ? NeighbourHomes.weight(weights, counter) : 0) + NeighbourHomes.ONE;
        records[base + homesAt] = NeighbourHomes.withWeight(weights, counter, weight);
        records[base + homesAt + 1] = NeighbourHomes.withPartition(places, counter, home);
        touch(base);
    }

    public final void setCluster(int slot, int cluster) {
        setClusterLabel(slot, cluster + 1L);
    }

    /** @param label see {@link ClusterLabel} */
    public final void setClusterLabel(int slot, long label) {
        int base = slot * stride;
        records[base + clusterAt] = label;
        touch(base);
    }

    /**
     * Takes down that the cluster of a vertex, or its partition, has changed: other tables are to hear of it, also if
     * the vertex gets no replica.
     *
     * @param before the label before
     */
    public final void clusterChanged(int slot, long before) {
        if (newReplicas != null && !ClusterLabel.areAlike(before, clusterLabel(slot))) {
            newReplicas.add(slot, RecordExchange.NewReplicas.NO_REPLICA);
        }
    }

    /** Counts an edge at the vertex towards its final degree. */
    public final void countFinalEdge(int slot) {
        countFinalEdges(slot, 1);
    }

    /** Counts many edges at the vertex towards its final degree. */
    public final void countFinalEdges(int slot, int count) {
        int base = slot * stride;
        records[base + VertexLayout.FINAL_DEGREE] += count;
        touch(base);
    }

    /**
     * Puts the vertex on a partition; its first partition becomes its master and stays so.
     *
     * @param loads counts the replica if it is new
     * @return whether it is new
     */
    public final boolean addReplica(int slot, int partition, PartitionLoads loads) {
        int base = slot * stride;
        int word = base + replicasAt + (partition >>> 6);
        long bit = 1L << partition;
        if ((records[word] & bit) != 0) {
            return false;
        }
        records[word] |= bit;
        long header = records[base + VertexLayout.HEADER];
        records[base + VertexLayout.HEADER] = touched(header) | VertexHeader.UNPUBLISHED;
        boolean isFirst = master(slot) == NO_MASTER;
        if (isFirst) {
            records[base + VertexLayout.HEADER] |= VertexHeader.of(0, partition);
        }
        loads.addReplica(partition, isFirst);
        if (newReplicas != null) {
            newReplicas.add(slot, partition);
        }
        return true;
    }

    final void touch(int base) {
        records[base + VertexLayout.HEADER] = touched(records[base + VertexLayout.HEADER]);
    }

    final long touched(long header) {
        if (!VertexHeader.is(VertexHeader.DIRTY, header)) {
            dirtyCount++;
        }
        return VertexHeader.touched(header);
    }

    final long recounted(long header) {
        if (!VertexHeader.is(VertexHeader.DIRTY, header)) {
            dirtyCount++;
        }
        return VertexHeader.recounted(header);
    }
}
