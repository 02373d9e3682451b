package io.cutwater.state.bulk;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.BulkRule;
import java.util.Arrays;
import java.util.Map;

/**
 * Places that another tool, or an earlier run, has given to edges or to vertices, as a rule of a {@link BulkRun}: what
 * has a given place goes there, and the rest is placed beside it with HDRF (edges) or LDG (vertices). Given places may
 * exceed any balance cap; the rest goes to partitions with room.
 *
 * <p>It holds 40 to 80 bytes for each distinct edge, or vertex, in memory.
 */
public final class GivenPlaces {
    private static final int MIN_CAPACITY = 16;
    private static final int NO_ENTRY = -1;

    private final PartitioningKind kind;
    private final long[] loads;
    // Entries are found by linear probing; of equal edges those on the partition that was given first come first.
    private long[] sources = new long[MIN_CAPACITY];
    private long[] targets = new long[MIN_CAPACITY];
    private int[] partitions = new int[MIN_CAPACITY];
    private int[] copies = new int[MIN_CAPACITY]; // left of an edge, 1 for a vertex
    private boolean[] isUsed = new boolean[MIN_CAPACITY];
    private int size;
    private long given;
    private long taken;

    /** @param partitionCount k; each given partition is below it */
    public GivenPlaces(PartitioningKind kind, int partitionCount) {
        this.kind = kind;
        loads = new long[partitionCount];
    }

    /**
     * Adds a copy of an edge. Copies of one edge may be on several partitions; those of the input take the places in
     * the order in which the partitions were given.
     *
     * @throws IllegalArgumentException if there is no such partition; the message is meant for users
     */
    public void addEdge(long source, long target, int partition) {
        check(partition, "edge (%d, %d)".formatted(source, target));
        int entry = find(source, target, partition);
        if (isUsed[entry]) {
            copies[entry] = Math.addExact(copies[entry], 1);
        } else {
            put(entry, source, target, partition);
        }
        loads[partition]++;
        given++;
    }

    /**
     * Adds a vertex with its owner.
     *
     * @throws IllegalArgumentException if there is no such partition, or the vertex has another owner already; the
     *     message is meant for users
     */
    public void addVertex(long vertex, int owner) {
        check(owner, "vertex " + vertex);
        int entry = find(vertex, vertex, NO_ENTRY);
        if (isUsed[entry] && partitions[entry] != owner) {
            throw new IllegalArgumentException(
                    "vertex %d is given to partition %d and to %d".formatted(vertex, partitions[entry], owner));
        }
        if (!isUsed[entry]) {
            put(entry, vertex, vertex, owner);
            loads[owner]++;
            given++;
        }
    }

    private void check(int partition, String what) {
        if (partition < 0 || partition >= loads.length) {
            throw new IllegalArgumentException(
                    "%s is given to partition %d, and there are %d".formatted(what, partition, loads.length));
        }
    }

    /** @param partition of the entry; {@link #NO_ENTRY} for the first one of the edge, on whatever partition */
    private int find(long source, long target, int partition) {
        int mask = sources.length - 1;
        int entry = (int) Hashing.mix64(0, source, target) & mask;
        while (isUsed[entry]
                && (sources[entry] != source
                        || targets[entry] != target
                        || partition != NO_ENTRY && partitions[entry] != partition)) {
            entry = entry + 1 & mask;
        }
        return entry;
    }

    private void put(int entry, long source, long target, int partition) {
        set(entry, source, target, partition, 1);
        size++;
        if (size > sources.length / 2) {
            grow();
        }
    }

    private void set(int entry, long source, long target, int partition, int count) {
        sources[entry] = source;
        targets[entry] = target;
        partitions[entry] = partition;
        copies[entry] = count;
        isUsed[entry] = true;
    }

    private void grow() {
        long[] oldSources = sources;
        long[] oldTargets = targets;
        int[] oldPartitions = partitions;
        int[] oldCopies = copies;
        boolean[] wasUsed = isUsed;
        int length = Math.multiplyExact(oldSources.length, 2);
        sources = new long[length];
        targets = new long[length];
        partitions = new int[length];
        copies = new int[length];
        isUsed = new boolean[length];
        // A run of used entries may go round the end; from behind a free entry on, each run is in its order.
        int free = 0;
        while (wasUsed[free]) {
            free++;
        }
        for (int i = 1; i <= oldSources.length; i++) {
            int old = free + i & oldSources.length - 1;
            if (wasUsed[old]) {
                int entry = find(oldSources[old], oldTargets[old], oldPartitions[old]);
                set(entry, oldSources[old], oldTargets[old], oldPartitions[old], oldCopies[old]);
            }
        }
    }

    /** Takes the place of the next copy of an edge; returns {@link #NO_ENTRY} if none is left. */
    int take(long source, long target) {
        int mask = sources.length - 1;
        int entry = (int) Hashing.mix64(0, source, target) & mask;
        for (; isUsed[entry]; entry = entry + 1 & mask) {
            if (sources[entry] == source && targets[entry] == target && copies[entry] > 0) {
                copies[entry]--;
                taken++;
                return partitions[entry];
            }
        }
        return NO_ENTRY;
    }

    /** Takes the owner of a vertex; returns {@link #NO_ENTRY} if it has none. */
    int take(long vertex) {
        return take(vertex, vertex);
    }

    /** Returns the number of copies of edges, or of vertices, that have a given place. */
    public long given() {
        return given;
    }

    /** Returns those of {@link #given} that the input had, after the run. */
    public long taken() {
        return taken;
    }

    /** Returns the largest number of given edges, or vertices, on a partition, divided by the mean; 1 without any. */
    public double balance() {
        long largest = Arrays.stream(loads).max().orElse(0);
        return given == 0 ? 1 : (double) largest * loads.length / given;
    }

    /** @throws IllegalArgumentException if the options are of another kind or number of partitions */
    BulkRule rule(PartitionerOptions options, GraphSize graph) {
        if (options.kind() != kind || options.partitionCount() != loads.length) {
            throw new IllegalArgumentException("the places are for %d partitions of kind %s, and the run is for %d, %s"
                    .formatted(
                            loads.length,
                            kind.label(),
                            options.partitionCount(),
                            options.kind().label()));
        }
        return kind.hasOwners()
                ? new GivenOwners(this, Algorithms.vertexPartitioner(others(options, "ldg", PassMode.BULK), graph))
                : new GivenEdges(
                        this, loads.length, Algorithms.edgePartitioner(others(options, "hdrf", PassMode.LIVE)));
    }

    private static PartitionerOptions others(PartitionerOptions options, String algorithm, PassMode mode) {
        return new PartitionerOptions(
                options.kind(), algorithm, options.partitionCount(), options.seed(), mode, Map.of());
    }
}
