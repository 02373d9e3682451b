package io.cutwater.flink.job.topology;

import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Net edges of rows, computed row by row. */
final class NetRows {
    private final EdgeBatch rows;
    private final TreeSet<Integer> left = new TreeSet<>();
    private long unknownRemovals;
    private long duplicates;
    private long takenAway;

    NetRows(EdgeBatch rows, @Nullable DuplicateRule dedupe) {
        this.rows = rows;
        Map<List<Long>, Deque<Integer>> copies = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            if (rows.isVertexRemoval(i)) {
                unknownRemovals += removeVertex(rows.source(i), copies) ? 0 : 1;
                continue;
            }
            List<Long> edge = new ArrayList<>(List.of(rows.source(i), rows.target(i)));
            if (dedupe == DuplicateRule.UNDIRECTED) {
                Collections.sort(edge);
            }
            Deque<Integer> there = copies.computeIfAbsent(edge, e -> new ArrayDeque<>());
            if (rows.isRemoval(i)) {
                if (there.isEmpty()) {
                    unknownRemovals++;
                } else {
                    left.remove(there.removeFirst());
                    takenAway++;
                }
            } else if (dedupe != null && !there.isEmpty()) {
                duplicates++;
            } else {
                there.addLast(i);
                left.add(i);
            }
        }
    }

    private boolean removeVertex(long vertex, Map<List<Long>, Deque<Integer>> copies) {
        long before = takenAway;
        copies.forEach((edge, there) -> {
            if (edge.contains(vertex)) {
                takenAway += there.size();
                there.forEach(left::remove);
                there.clear();
            }
        });
        return takenAway > before;
    }

    List<String> left() {
        return left.stream()
                .map(i -> rows.source(i) + " " + rows.target(i))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    long unknownRemovals() {
        return unknownRemovals;
    }

    long duplicates() {
        return duplicates;
    }

    long takenAway() {
        return takenAway;
    }
}
