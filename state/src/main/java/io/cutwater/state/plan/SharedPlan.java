package io.cutwater.state.plan;

import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.Outbox;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A plan for the clusters of all parts of a graph: part 0 adds up their quotient graphs and plans. */
public final class SharedPlan {
    private static final int FIRST = 0;

    /** Words of a message to the first part. */
    private static final int MOST_WORDS = 1 << 16;

    private SharedPlan() {}

    /**
     * The partition of each cluster, 0 to k − 1, the same in all parts.
     *
     * @param own the clusters of the part's own vertices, and its own edges
     */
    public static int[] of(GraphPart part, QuotientGraphBuilder own, PlanRequest request) {
        int pairs = QuotientGraphBuilder.pairsFor((int) Math.min(Integer.MAX_VALUE, GraphPart.allVertices(part)));
        QuotientGraph graph = gather(part, own.build(), pairs);
        return part.fromFirst(graph == null ? new int[0] : QuotientPlanner.plan(graph, request));
    }

    /**
     * The partition with most edges of each cluster, the lowest of equally good ones; the same in all parts.
     *
     * @param own edges between clusters, which come first, and partitions
     */
    public static int[] homes(GraphPart part, QuotientGraphBuilder own, int clusterCount) {
        QuotientGraph graph = gather(part, own.build(), Integer.MAX_VALUE);
        int[] homes = new int[graph == null ? 0 : clusterCount];
        for (int c = 0; graph != null && c < clusterCount; c++) {
            long best = 0;
            for (int i = graph.offsets()[c]; i < graph.offsets()[c + 1]; i++) {
                if (graph.weights()[i] > best) { // in ascending order of the partitions
                    best = graph.weights()[i];
                    homes[c] = graph.targets()[i] - clusterCount;
                }
            }
        }
        return part.fromFirst(homes);
    }

    /** Returns the sum of the graphs of all parts; null if this is not the first part. */
    private static @Nullable QuotientGraph gather(GraphPart part, QuotientGraph own, int maxPairs) {
        QuotientGraphBuilder sum = part.part() == FIRST ? new QuotientGraphBuilder(own.clusterCount(), maxPairs) : null;
        boolean isThinned = part.sum(new long[] {own.isThinned() ? 1 : 0})[0] > 0;
        if (isThinned && sum != null) {
            sum.thinned();
        }
        Outbox out = new Outbox(part.parts());
        for (int c = 0; c < own.clusterCount(); c++) {
            if (own.sizes()[c] != 0) {
                out.add(FIRST, c);
                out.add(FIRST, own.sizes()[c]);
                out.add(FIRST, own.volumes()[c]);
                out.add(FIRST, own.trainings()[c]);
            }
        }
        for (long[] message : part.exchange(out)) {
            for (int i = 0; i < message.length && sum != null; i += 4) {
                sum.addVertices((int) message[i], message[i + 1], message[i + 2], message[i + 3]);
            }
        }
        int cluster = 0;
        int at = 0;
        do {
            for (int words = 0; at < own.targets().length && words < MOST_WORDS; at++) {
                while (at >= own.offsets()[cluster + 1]) {
                    cluster++;
                }
                if (own.targets()[at] > cluster) {
                    out.add(FIRST, (long) cluster << Integer.SIZE | own.targets()[at]);
                    out.add(FIRST, own.weights()[at]);
                    words += 2;
                }
            }
            for (long[] message : part.exchange(out)) {
                for (int i = 0; i < message.length && sum != null; i += 2) {
                    sum.addEdges((int) (message[i] >>> Integer.SIZE), (int) message[i], message[i + 1]);
                }
            }
        } while (Arrays.stream(part.gather(own.targets().length - at)).anyMatch(left -> left > 0));
        return sum == null ? null : sum.build();
    }
}
