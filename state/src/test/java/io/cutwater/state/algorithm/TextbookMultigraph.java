package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.ShardChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A slow and simple reference of a stream of edges and removals: the copies of each edge in their order, and the shards
 * as one who reads their changes has them.
 */
public final class TextbookMultigraph implements PlacedEdges {
    public record Edge(long source, long target) {}

    /** One copy; {@code owners} is its {@link Place}. */
    public record Copy(Edge edge, double weight, long timestamp, long key, int owners) {
        Copy withoutOwners() {
            return new Copy(edge, weight, timestamp, key, EdgeBatch.NO_PLACE);
        }
    }

    /** The graph, placed or not. */
    private final Map<Edge, Deque<Copy>> graph = new LinkedHashMap<>();

    /** The copies in each shard, with their count. */
    private final Map<Integer, Map<Copy, Integer>> shards = new TreeMap<>();

    private long unknownRemovals;
    private boolean hasKeys;
    private long lastKey;

    /** From now on random edges have keys, by which they are removed. */
    public void giveKeys() {
        hasKeys = true;
    }

    /** Takes in a batch, before the assigner does. */
    public void stream(EdgeBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            Edge edge = new Edge(batch.source(i), batch.target(i));
            if (batch.isVertexRemoval(i)) {
                long vertex = edge.source();
                boolean isKnown = graph.keySet().removeIf(any -> any.source() == vertex || any.target() == vertex);
                unknownRemovals += isKnown ? 0 : 1;
            } else if (!batch.isRemoval(i)) {
                graph.computeIfAbsent(edge, e -> new ArrayDeque<>())
                        .addLast(new Copy(edge, batch.weight(i), batch.timestamp(i), batch.key(i), EdgeBatch.NO_PLACE));
            } else if (!remove(edge, batch.key(i))) {
                unknownRemovals++;
            }
        }
    }

    /** Removes the oldest copy, or the one with a key; returns whether there is one. */
    private boolean remove(Edge edge, long key) {
        Deque<Copy> copies = graph.getOrDefault(edge, new ArrayDeque<>());
        Optional<Copy> removed = copies.stream()
                .filter(copy -> key == EdgeBatch.NO_KEY || copy.key() == key)
                .findFirst();
        removed.ifPresent(copies::removeFirstOccurrence);
        if (copies.isEmpty()) {
            graph.remove(edge);
        }
        return removed.isPresent();
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, long key, int place) {
        Copy copy = new Copy(new Edge(source, target), weight, timestamp, key, place);
        enter(copy, Place.ofSource(place));
        if (Place.ofTarget(place) != Place.ofSource(place)) {
            enter(copy, Place.ofTarget(place));
        }
    }

    @Override
    public void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int owners) {
        Copy copy = new Copy(new Edge(source, target), weight, timestamp, key, owners);
        if (change.isEntering()) {
            enter(copy, shard);
        } else {
            Map<Copy, Integer> edges = shards.getOrDefault(shard, Map.of());
            assertThat(edges).as("shard %d, of which %s leaves", shard, copy).containsKey(copy);
            edges.merge(copy, -1, (count, one) -> count + one == 0 ? null : count + one);
        }
    }

    private void enter(Copy copy, int shard) {
        shards.computeIfAbsent(shard, s -> new LinkedHashMap<>()).merge(copy, 1, Integer::sum);
    }

    /** Shards and waiting edges hold the graph: no edge is lost, doubled or of another weight or time. */
    public void assertHolds(EdgeBatch held) {
        Map<Copy, Integer> expected = new HashMap<>();
        graph.values().forEach(copies -> copies.forEach(copy -> expected.merge(copy, 1, Integer::sum)));
        Map<Copy, Integer> found = new HashMap<>();
        placedCopies().forEach((copy, count) -> found.merge(copy.withoutOwners(), count, Integer::sum));
        for (int i = 0; i < held.size(); i++) {
            Edge edge = new Edge(held.source(i), held.target(i));
            Copy copy = new Copy(edge, held.weight(i), held.timestamp(i), held.key(i), EdgeBatch.NO_PLACE);
            found.merge(copy, 1, Integer::sum);
        }
        expected.forEach((copy, count) -> found.merge(copy, -count, Integer::sum));
        found.values().removeIf(count -> count == 0);
        assertThat(found).as("copies too many, or too few").isEmpty();
    }

    /** Each placed copy once, however many shards have it: then all of these have it as often. */
    public Map<Copy, Integer> placedCopies() {
        Map<Copy, Integer> placed = new LinkedHashMap<>();
        shards.forEach((shard, edges) -> edges.forEach((copy, count) -> {
            int ofSource = Place.ofSource(copy.owners());
            int ofTarget = Place.ofTarget(copy.owners());
            assertThat(shard).isIn(ofSource, ofTarget);
            assertThat(shards.get(ofSource).get(copy)).isEqualTo(count);
            assertThat(shards.get(ofTarget).get(copy)).isEqualTo(count);
            placed.put(copy, count);
        }));
        return placed;
    }

    /** Every copy in every shard, as often as it is there. */
    public List<Map.Entry<Integer, Copy>> entries() {
        List<Map.Entry<Integer, Copy>> entries = new ArrayList<>();
        shards.forEach((shard, edges) -> edges.forEach((copy, count) -> {
            for (int i = 0; i < count; i++) {
                entries.add(Map.entry(shard, copy));
            }
        }));
        return entries;
    }

    /** Vertices that have an edge, placed or waiting. */
    public TreeSet<Long> vertices() {
        TreeSet<Long> vertices = new TreeSet<>();
        graph.keySet().forEach(edge -> {
            vertices.add(edge.source());
            vertices.add(edge.target());
        });
        return vertices;
    }

    public long unknownRemovals() {
        return unknownRemovals;
    }

    public boolean isEmpty() {
        return graph.isEmpty();
    }

    /** Edges, some with weight or time, some alike, and removals of edges that are there, were there or never were. */
    public EdgeBatch randomBatch(SplittableRandom random, int vertexRange, double removals) {
        EdgeBatch batch = new EdgeBatch();
        List<Edge> present = new ArrayList<>(graph.keySet());
        int size = random.nextInt(1, 40);
        for (int i = 0; i < size; i++) {
            boolean isRemoval = random.nextDouble() < removals;
            long source = anyVertex(random, vertexRange);
            long target = random.nextInt(15) == 0 ? source : anyVertex(random, vertexRange);
            if (isRemoval && !present.isEmpty() && random.nextInt(8) > 0) {
                Edge edge = present.get(random.nextInt(present.size()));
                source = edge.source();
                target = edge.target();
            }
            double weight = random.nextInt(4) == 0 ? random.nextInt(5) / 4.0 : Double.NaN;
            long timestamp = random.nextInt(3) == 0 ? random.nextLong() >> random.nextInt(64) : EdgeBatch.NO_TIMESTAMP;
            boolean isOfVertex = isRemoval && random.nextInt(6) == 0;
            batch.add(source, isOfVertex ? source : target, weight, timestamp);
            if (hasKeys && !isOfVertex) {
                batch.setKey(i, isRemoval ? anyKey(random, new Edge(source, target)) : nextKey());
            }
            if (isOfVertex) {
                batch.setVertexRemoval(i);
            } else if (isRemoval) {
                batch.setRemoval(i);
            }
        }
        return batch;
    }

    private long nextKey() {
        return Hashing.mix64(++lastKey);
    }

    /** The key of some copy of an edge, often not the oldest one; sometimes one that there is not. */
    private long anyKey(SplittableRandom random, Edge edge) {
        List<Copy> copies = List.copyOf(graph.getOrDefault(edge, new ArrayDeque<>()));
        return copies.isEmpty() || random.nextInt(20) == 0
                ? nextKey()
                : copies.get(random.nextInt(copies.size())).key();
    }

    /** Removals of everything, in some order. */
    public EdgeBatch removalOfAll(SplittableRandom random) {
        List<Copy> all = new ArrayList<>();
        graph.values().forEach(all::addAll);
        EdgeBatch batch = new EdgeBatch();
        while (!all.isEmpty()) {
            int i = random.nextInt(all.size());
            Copy copy = all.get(i);
            batch.add(copy.edge().source(), copy.edge().target(), Double.NaN, EdgeBatch.NO_TIMESTAMP, copy.key());
            batch.setRemoval(batch.size() - 1);
            all.set(i, all.get(all.size() - 1));
            all.remove(all.size() - 1);
        }
        return batch;
    }

    private static long anyVertex(SplittableRandom random, int range) {
        int i = (int) (range * Math.pow(random.nextDouble(), 1.5));
        return i % 3 == 0 ? Long.MIN_VALUE + i : i;
    }
}
