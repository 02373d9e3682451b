package io.cutwater.state.cluster;

import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.Outbox;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The clusters of a part of a graph, and of these the clusters of other parts. A cluster belongs to the part that has
 * opened it, which adds up its volume and size and tells them to the parts that have a vertex in it. Its label is the
 * number of the part and, in the lower half, that of the cluster there.
 */
final class ClusterExchange {
    private final GraphPart part;
    private final ModularityClustering clustering;
    private final BitSet moved = new BitSet(); // own vertices
    private final BitSet changed = new BitSet(); // clusters
    private final VertexSlots foreign = new VertexSlots(16); // labels of other parts' clusters
    private int[] clusterOf = new int[16]; // of each foreign label
    private long[] labels = new long[16]; // of each cluster; 0 for an own one
    private long[] volumes = new long[16]; // of foreign clusters, when they were exchanged last
    private int[] sizes = new int[16];
    private final BitSet[] users; // own clusters that each part has a vertex in

    ClusterExchange(GraphPart part, ModularityClustering clustering) {
        this.part = part;
        this.clustering = clustering;
        users = new BitSet[part.parts()];
        Arrays.setAll(users, p -> new BitSet());
    }

    /** A vertex is in another cluster now. */
    void moved(int vertex) {
        moved.set(vertex);
    }

    /** A cluster has another volume or size now. */
    void changed(int cluster) {
        changed.set(cluster);
    }

    private long label(int cluster) {
        long label = cluster < labels.length ? labels[cluster] : 0;
        return label == 0 ? (long) (part.part() + 1) << Integer.SIZE | cluster : label;
    }

    private static int partOf(long label) {
        return (int) (label >>> Integer.SIZE) - 1;
    }

    private boolean isForeign(int cluster) {
        return cluster < labels.length && labels[cluster] != 0;
    }

    /** Returns the number here of a cluster of any part. */
    private int cluster(long label) {
        if (partOf(label) == part.part()) {
            return (int) label;
        }
        int known = foreign.size();
        int number = foreign.slot(label);
        if (number == known) {
            int cluster = clustering.open();
            if (number == clusterOf.length) {
                clusterOf = Arrays.copyOf(clusterOf, 2 * number);
            }
            if (cluster >= labels.length) {
                int larger = Math.addExact(cluster, cluster / 2 + 1);
                labels = Arrays.copyOf(labels, larger);
                volumes = Arrays.copyOf(volumes, larger);
                sizes = Arrays.copyOf(sizes, larger);
            }
            clusterOf[number] = cluster;
            labels[cluster] = label;
            changed.set(cluster); // so that its part learns that it is used here
        }
        return clusterOf[number];
    }

    /** Tells the changes since the last time and takes over those of other parts. */
    void exchange() {
        Outbox out = new Outbox(part.parts());
        tellClusters(out);
        long[][] messages = part.exchange(out);
        for (int from = 0; from < messages.length; from++) {
            for (int i = 0; i < messages[from].length; i += 2) {
                clustering.setCluster(part.imported(from, (int) messages[from][i]), cluster(messages[from][i + 1]));
            }
        }
        tellChanges(out);
        messages = part.exchange(out);
        for (int from = 0; from < messages.length; from++) {
            for (int i = 0; i < messages[from].length; i += 3) {
                int cluster = (int) messages[from][i];
                clustering.setCluster(
                        cluster,
                        clustering.volume(cluster) + messages[from][i + 1],
                        clustering.size(cluster) + (int) messages[from][i + 2]);
                users[from].set(cluster);
                changed.set(cluster);
            }
        }
        tellTotals(out);
        messages = part.exchange(out);
        for (int from = 0; from < messages.length; from++) {
            for (int i = 0; i < messages[from].length; i += 3) {
                int cluster = cluster(messages[from][i]);
                volumes[cluster] = messages[from][i + 1];
                sizes[cluster] = (int) messages[from][i + 2];
                clustering.setCluster(cluster, volumes[cluster], sizes[cluster]);
            }
        }
        moved.clear();
        changed.clear();
    }

    private void tellClusters(Outbox out) {
        for (int v = moved.nextSetBit(0); v >= 0; v = moved.nextSetBit(v + 1)) {
            for (int to = 0; to < part.parts(); to++) {
                int rank = to == part.part() ? -1 : part.rankAt(to, v);
                if (rank >= 0) {
                    out.add(to, rank);
                    out.add(to, label(clustering.cluster(v)));
                }
            }
        }
    }

    private void tellChanges(Outbox out) {
        for (int c = changed.nextSetBit(0); c >= 0; c = changed.nextSetBit(c + 1)) {
            if (isForeign(c)) {
                int to = partOf(labels[c]);
                out.add(to, (int) labels[c]);
                out.add(to, clustering.volume(c) - volumes[c]);
                out.add(to, clustering.size(c) - sizes[c]);
            }
        }
    }

    private void tellTotals(Outbox out) {
        for (int c = changed.nextSetBit(0); c >= 0; c = changed.nextSetBit(c + 1)) {
            for (int to = 0; to < part.parts() && !isForeign(c); to++) {
                if (users[to].get(c)) {
                    out.add(to, label(c));
                    out.add(to, clustering.volume(c));
                    out.add(to, clustering.size(c));
                }
            }
        }
    }

    /** Tells the parts of copies that these are to be looked at in the next pass. */
    void activate(boolean[] active) {
        Outbox out = new Outbox(part.parts());
        for (int v = 0; v < active.length; v++) {
            if (active[v] && !part.isOwn(v)) {
                out.add(part.partOf(v), part.rankOfCopy(v));
            }
        }
        long[][] messages = part.exchange(out);
        for (int from = 0; from < messages.length; from++) {
            for (long rank : messages[from]) {
                active[part.exported(from, (int) rank)] = true;
            }
        }
    }

    /**
     * Returns the cluster of each vertex, 0 to c − 1 without a gap for the clusters of all parts.
     *
     * @param clusters as they are numbered here
     */
    int[] numbered(int[] clusters) {
        BitSet used = new BitSet();
        for (int v = 0; v < clusters.length; v++) {
            if (part.isOwn(v)) {
                used.set(clusters[v]);
            }
        }
        Outbox out = new Outbox(part.parts());
        int[] asked = used.stream().filter(this::isForeign).toArray();
        for (int c : asked) {
            out.add(partOf(labels[c]), (int) labels[c]);
            used.clear(c);
        }
        long[][] questions = part.exchange(out);
        for (long[] question : questions) {
            for (long cluster : question) {
                used.set((int) cluster);
            }
        }
        long[] counts = part.gather(used.cardinality());
        int number = (int) Arrays.stream(counts, 0, part.part()).sum();
        int[] numbers = new int[Math.max(used.length(), asked.length == 0 ? 0 : asked[asked.length - 1] + 1)];
        for (int c = used.nextSetBit(0); c >= 0; c = used.nextSetBit(c + 1)) {
            numbers[c] = number++;
        }
        for (int to = 0; to < questions.length; to++) {
            for (long cluster : questions[to]) {
                out.add(to, numbers[(int) cluster]);
            }
        }
        long[][] answers = part.exchange(out);
        int[] next = new int[answers.length];
        for (int c : asked) {
            int from = partOf(labels[c]);
            numbers[c] = (int) answers[from][next[from]++];
        }
        int[] result = new int[clusters.length];
        for (int v = 0; v < result.length; v++) {
            result[v] = part.isOwn(v) ? numbers[clusters[v]] : 0;
        }
        part.share(result);
        return result;
    }
}
