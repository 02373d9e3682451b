package io.cutwater.deploy.page.query;

import io.cutwater.state.placement.ShardChange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The edges that are in shards, from the changes of these shards. Parallel edges are counted in each shard apart, so
 * the changes of different shards may come in any order: an edge that moves may enter its new shard before it leaves
 * the old one, or after. Changes of one shard must come in order. Memory is bounded: edges beyond the capacity are left
 * out.
 */
final class FoundEdges {
    private final int capacity;
    private final Map<Edge, SortedMap<Integer, Integer>> counts = new LinkedHashMap<>();
    private int places;
    private boolean isFull;

    record Edge(long source, long target) {}

    /** @param capacity pairs of edge and shard at most, at least 1 */
    FoundEdges(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Takes a change of an edge in a shard. An edge leaves in vain that entered before the changes began, or that was
     * left out.
     */
    void accept(int shard, ShardChange change, long source, long target) {
        Edge edge = new Edge(source, target);
        SortedMap<Integer, Integer> ofEdge = counts.get(edge);
        Integer count = ofEdge == null ? null : ofEdge.get(shard);
        if (change.isEntering()) {
            if (count == null && places == capacity) {
                isFull = true;
                return;
            }
            places += count == null ? 1 : 0;
            counts.computeIfAbsent(edge, absent -> new TreeMap<>()).merge(shard, 1, Integer::sum);
        } else if (ofEdge != null && count != null) {
            if (count > 1) {
                ofEdge.put(shard, count - 1);
                return;
            }
            places--;
            ofEdge.remove(shard);
            if (ofEdge.isEmpty()) {
                counts.remove(edge);
            }
        }
    }

    /** Returns the shards of each edge, ascending: several if parallel edges, or copies of a cut edge, are apart. */
    Map<Edge, Iterable<Integer>> shards() {
        Map<Edge, Iterable<Integer>> shards = new LinkedHashMap<>();
        counts.forEach((edge, ofEdge) -> shards.put(edge, ofEdge.keySet()));
        return shards;
    }

    /** Returns whether edges were left out for lack of space. */
    boolean isFull() {
        return isFull;
    }
}
