package io.cutwater.state.graph;

import io.cutwater.state.edges.DuplicateRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A plain computation of the edges that remain after removals, and sequences to test with. */
public final class NetEdges {
    private final List<Boolean> isLeft = new ArrayList<>();
    private long unknownRemovals;
    private long duplicates;

    public NetEdges(EdgeBatch rows, @Nullable DuplicateRule dedupe) {
        Map<List<Long>, Deque<Integer>> copies = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            boolean isTurned = dedupe == DuplicateRule.UNDIRECTED && rows.source(i) > rows.target(i);
            List<Long> edge =
                    isTurned ? List.of(rows.target(i), rows.source(i)) : List.of(rows.source(i), rows.target(i));
            Deque<Integer> there = copies.computeIfAbsent(edge, e -> new ArrayDeque<>());
            isLeft.add(false);
            if (rows.isVertexRemoval(i)) {
                unknownRemovals += removeVertex(rows.source(i), copies) ? 0 : 1;
            } else if (rows.isRemoval(i)) {
                if (there.isEmpty()) {
                    unknownRemovals++;
                } else {
                    isLeft.set(there.removeFirst(), false);
                }
            } else if (dedupe == null || there.isEmpty()) {
                there.addLast(i);
                isLeft.set(i, true);
            } else {
                duplicates++;
            }
        }
    }

    private boolean removeVertex(long vertex, Map<List<Long>, Deque<Integer>> copies) {
        boolean isKnown = false;
        for (Map.Entry<List<Long>, Deque<Integer>> edge : copies.entrySet()) {
            if (edge.getKey().contains(vertex)) {
                isKnown |= !edge.getValue().isEmpty();
                edge.getValue().forEach(row -> isLeft.set(row, false));
                edge.getValue().clear();
            }
        }
        return isKnown;
    }

    public boolean isLeft(int row) {
        return isLeft.get(row);
    }

    public long unknownRemovals() {
        return unknownRemovals;
    }

    public long duplicates() {
        return duplicates;
    }

    /** The rows that are left. */
    public EdgeBatch of(EdgeBatch rows) {
        EdgeBatch left = new EdgeBatch();
        for (int i = 0; i < rows.size(); i++) {
            if (isLeft(i)) {
                left.addFrom(rows, i);
            }
        }
        return left;
    }

    /** {@link #sequence}, between whose rows are removals of vertices: some with edges, some without. */
    public static EdgeBatch sequenceWithVertices(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch before = sequence(seed);
        int removals = random.nextInt(1, 30);
        EdgeBatch rows = new EdgeBatch();
        for (int i = 0; i < before.size(); i++) {
            rows.addFrom(before, i);
            if (random.nextInt(100) < removals) {
                int of = random.nextInt(before.size());
                long vertex = random.nextBoolean() ? before.source(of) : before.target(of);
                rows.add(vertex, vertex);
                rows.setVertexRemoval(rows.size() - 1);
            }
        }
        return rows;
    }

    /** An ugly graph of that seed, between whose edges are removals: of earlier, later and unknown edges, and twice. */
    public static EdgeBatch sequence(long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        EdgeBatch graph = RandomGraphs.graph(seed);
        int removals = random.nextInt(1, 100);
        EdgeBatch rows = new EdgeBatch();
        for (int i = 0; i < graph.size(); i++) {
            rows.addFrom(graph, i);
            while (random.nextInt(100) < removals / 2) {
                int of = random.nextInt(4) == 0 ? random.nextInt(graph.size()) : random.nextInt(i + 1);
                boolean isTurned = random.nextInt(8) == 0;
                rows.add(
                        isTurned ? graph.target(of) : graph.source(of), isTurned ? graph.source(of) : graph.target(of));
                rows.setRemoval(rows.size() - 1);
            }
        }
        return rows;
    }
}
