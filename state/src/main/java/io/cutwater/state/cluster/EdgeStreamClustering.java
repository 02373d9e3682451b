package io.cutwater.state.cluster;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.table.ClusterLabel;
import io.cutwater.state.table.VertexColumns;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Clusters from a stream of edges, in constant time for each (Hollocou et al.: A streaming algorithm for graph
 * clustering, 2017; with the volume bound of Mayer, Orujzade, Jacobsen: Out-of-core edge partitioning at linear
 * run-time, ICDE 2022, algorithm 1). A vertex that has none opens a cluster of its own. The volume of a cluster is the
 * sum of its members' degrees. If an edge joins two clusters and neither volume is above the bound, the end whose
 * cluster is smaller without it (the source on ties) moves to the other's cluster, if that stays within the bound.
 *
 * <p>A vertex's cluster is a column of the {@link VertexColumns}; this class holds the volume of each cluster, and the
 * partition that a caller has assigned to it. The number of a cluster without members is reused for the next new
 * cluster, so numbers never exceed the most clusters at any time.
 *
 * <p>If several tasks observe a part of the edges each, a cluster has an id that all of them know it by, and its
 * partition and volume travel with its vertices ({@link ClusterLabel}). Of what two tasks know of a cluster that with
 * the larger volume counts. A task counts each end of an edge of its own for as many as there are tasks, because the
 * others count theirs.
 */
public final class EdgeStreamClustering {
    /** A cluster that is not settled yet. */
    public static final int NOWHERE = ClusterLabel.NOWHERE;

    static final int FIRST_CAPACITY = 16;

    private long[] volumes = new long[FIRST_CAPACITY];
    private int[] partitions = new int[FIRST_CAPACITY];
    private int count;
    private int[] free = new int[FIRST_CAPACITY];
    private int freeCount;
    private @Nullable SharedClusters shared; // if several tasks have the same clusters
    private int weight = 1;
    private int ofSource;
    private int ofTarget;
    private long sourceBefore;
    private long targetBefore;

    /** Shares the clusters with other tasks from now on; call it before the first edge and before {@link #restore}. */
    public void share(int tasks) {
        shared = new SharedClusters(tasks > 1);
        weight = tasks;
    }

    /** Observes an edge of an input whose final degrees are known. */
    void observeKnown(VertexColumns vertices, int source, int target, double maxVolume) {
        ofSource = vertices.cluster(source);
        if (ofSource == VertexColumns.NO_CLUSTER) {
            ofSource = open(vertices.finalDegree(source));
            vertices.setCluster(source, ofSource);
        }
        ofTarget = vertices.cluster(target);
        if (ofTarget == VertexColumns.NO_CLUSTER) {
            ofTarget = open(vertices.finalDegree(target));
            vertices.setCluster(target, ofTarget);
        }
        if (join(vertices.finalDegree(source), vertices.finalDegree(target), maxVolume)) {
            vertices.setCluster(source, ofSource);
            vertices.setCluster(target, ofTarget);
        }
    }

    /**
     * Observes an edge of a live stream, after both degrees have counted it. The clusters of its ends are
     * {@link #ofSource} and {@link #ofTarget} then; {@link #label} tells the vertices.
     */
    public void observeLive(VertexColumns vertices, int source, int target, double maxVolume) {
        int ends = source == target ? 2 : 1;
        sourceBefore = vertices.clusterLabel(source);
        targetBefore = vertices.clusterLabel(target);
        ofSource = number(vertices, source);
        if (ofSource == VertexColumns.NO_CLUSTER) {
            ofSource = openAt(vertices, source, vertices.degree(source) - ends);
        }
        ofTarget = source == target ? ofSource : number(vertices, target);
        if (ofTarget == VertexColumns.NO_CLUSTER) {
            ofTarget = openAt(vertices, target, vertices.degree(target) - ends);
        }
        volumes[ofSource] += weight;
        volumes[ofTarget] += weight;
        join(vertices.degree(source), vertices.degree(target), maxVolume);
    }

    /** The cluster of the source that was observed last. */
    public int ofSource() {
        return ofSource;
    }

    /** The cluster of the target that was observed last. */
    public int ofTarget() {
        return ofTarget;
    }

    /** Has the ends of the edge that was observed last say what is known of their clusters now. */
    public void label(VertexColumns vertices, int source, int target) {
        vertices.setClusterLabel(source, ClusterLabel.of(id(ofSource), partitions[ofSource], volumes[ofSource]));
        vertices.setClusterLabel(target, ClusterLabel.of(id(ofTarget), partitions[ofTarget], volumes[ofTarget]));
        vertices.clusterChanged(source, sourceBefore);
        vertices.clusterChanged(target, targetBefore);
    }

    private long id(int number) {
        return shared == null ? number + 1L : shared.id(number);
    }

    /** Returns the number of the cluster of a vertex, and learns what the vertex says of it. */
    private int number(VertexColumns vertices, int slot) {
        if (shared == null) {
            return vertices.cluster(slot);
        }
        long label = vertices.clusterLabel(slot);
        if (label == 0) {
            return VertexColumns.NO_CLUSTER;
        }
        long volume = ClusterLabel.volume(label);
        return volume == 0 // an earlier build wrote it
                ? learn(ClusterLabel.id(label), vertices.degree(slot), vertices.master(slot))
                : learn(ClusterLabel.id(label), volume, ClusterLabel.partition(label));
    }

    /** Learns what is known elsewhere of a cluster; returns its number. */
    private int learn(long id, long volume, int partition) {
        SharedClusters clusters = Objects.requireNonNull(shared);
        int number = clusters.find(id);
        if (number == SlotIndex.NO_SLOT) {
            number = open(volume);
            clusters.add(id, number, count);
            partitions[number] = partition;
        } else if (volume > volumes[number]) {
            volumes[number] = volume;
            partitions[number] = partition == NOWHERE ? partitions[number] : partition;
        } else if (partitions[number] == NOWHERE) {
            partitions[number] = partition;
        }
        return number;
    }

    /** Opens the cluster of a vertex. */
    private int openAt(VertexColumns vertices, int slot, long volume) {
        if (shared == null) {
            return open(volume);
        }
        long id = SharedClusters.idOfFirst(vertices, slot);
        int number = shared.find(id);
        if (number == SlotIndex.NO_SLOT) {
            number = open(volume);
            shared.add(id, number, count);
        }
        return number;
    }

    /**
     * Counts one end of an added or removed edge that is not passed to {@link #observeLive}; of no effect for a vertex
     * without a cluster. The vertex's degree has changed before.
     *
     * @param change 1 or −1
     */
    public void count(VertexColumns vertices, int slot, int change) {
        int cluster = number(vertices, slot);
        if (cluster != VertexColumns.NO_CLUSTER) {
            volumes[cluster] += change * weight;
            freeIfEmpty(cluster); // no member has an edge, so all of them are gone
        }
    }

    private void freeIfEmpty(int cluster) {
        if (volumes[cluster] > 0) {
            return;
        }
        volumes[cluster] = 0;
        if (shared != null) {
            shared.remove(cluster);
        }
        makeRoomForFree(freeCount);
        free[freeCount++] = cluster;
    }

    private int open(long volume) {
        if (freeCount == 0 && shared != null && shared.isFull(count)) {
            forget(shared);
        }
        int cluster = freeCount > 0 ? free[--freeCount] : count++;
        makeRoom(cluster);
        volumes[cluster] = volume;
        partitions[cluster] = NOWHERE;
        return cluster;
    }

    private void makeRoom(int cluster) {
        if (cluster >= volumes.length) {
            int capacity = cluster + (cluster >> 1);
            volumes = Arrays.copyOf(volumes, capacity);
            partitions = Arrays.copyOf(partitions, capacity);
        }
    }

    private void makeRoomForFree(int at) {
        if (at >= free.length) {
            free = Arrays.copyOf(free, 2 * at);
        }
    }

    private void forget(SharedClusters clusters) {
        for (int cluster = 0; cluster < count; cluster++) {
            if (clusters.isForgotten(cluster)) {
                volumes[cluster] = 0;
                freeIfEmpty(cluster);
            }
        }
        clusters.beginAnew(count - freeCount);
    }

    /** Lets an end of the edge move to the cluster of the other; returns whether one has. */
    private boolean join(long sourceDegree, long targetDegree, double maxVolume) {
        if (ofSource == ofTarget || volumes[ofSource] > maxVolume || volumes[ofTarget] > maxVolume) {
            return false;
        }
        if (volumes[ofSource] - sourceDegree <= volumes[ofTarget] - targetDegree) {
            if (volumes[ofTarget] + sourceDegree > maxVolume) {
                return false;
            }
            move(ofSource, ofTarget, sourceDegree);
            ofSource = ofTarget;
        } else {
            if (volumes[ofSource] + targetDegree > maxVolume) {
                return false;
            }
            move(ofTarget, ofSource, targetDegree);
            ofTarget = ofSource;
        }
        return true;
    }

    private void move(int from, int to, long degree) {
        volumes[to] += degree;
        volumes[from] -= degree;
        freeIfEmpty(from);
    }

    /** Returns one more than the largest number of a cluster so far; some in between may be free, with volume 0. */
    int count() {
        return count;
    }

    /** The sum of the degrees of the cluster's members. */
    long volume(int cluster) {
        return volumes[cluster];
    }

    /** The volume of every cluster up to {@link #count}; a copy. */
    public long[] volumes() {
        return Arrays.copyOf(volumes, count);
    }

    /** Returns the partition of the cluster, or {@link #NOWHERE}. */
    public int partition(int cluster) {
        return partitions[cluster];
    }

    public void settle(int cluster, int partition) {
        partitions[cluster] = partition;
    }

    /** Returns the clusters as {@link StoredClusters} has them. Those of several tasks are with the vertices only. */
    public List<byte[]> snapshot() {
        StoredClusters stored = new StoredClusters();
        if (shared != null) {
            stored.addShared(shared, volumes, partitions, weight == 1 ? count : 0);
        } else {
            stored.addNumbered(volumes, partitions, count);
            stored.addFree(free, freeCount);
        }
        return stored.pieces();
    }

    /**
     * Restores what {@link #snapshot} returned, in that order. If other tasks have written some of it, what is about
     * numbers says nothing here.
     *
     * @throws IllegalStateException if the bytes are of another version
     */
    public void restore(List<byte[]> pieces) {
        StoredClusters.read(pieces, new StoredClusters.Receiver() {
            @Override
            public void numbered(int number, long volume, int partition) {
                if (shared == null) {
                    count = Math.max(count, number + 1);
                    makeRoom(number);
                    volumes[number] = volume;
                    partitions[number] = partition;
                }
            }

            @Override
            public void free(int at, int number) {
                if (shared == null) {
                    freeCount = Math.max(freeCount, at + 1);
                    makeRoomForFree(at);
                    free[at] = number;
                }
            }

            @Override
            public void shared() {
                if (shared == null) {
                    share(1);
                }
            }

            @Override
            public void shared(long id, long volume, int partition) {
                learn(id, volume, partition);
            }
        });
    }

    /**
     * Restores pieces of snapshots of other tasks, in any order; see {@link #restore}.
     *
     * @throws IllegalStateException if an earlier build wrote them and their order says something
     */
    public void restoreParts(List<byte[]> pieces) {
        if (shared == null) {
            StoredClusters.requireOrder(pieces);
        }
        restore(pieces);
    }
}
