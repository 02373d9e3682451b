package io.cutwater.kafka.replay;

import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.ShardChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A graph that changes at random, edge by edge and move by move, with its shards as plain maps and as records. */
final class RandomShards {
    private static final int VERTICES = 40;

    private final SplittableRandom random;
    private final PartitioningKind kind;
    private final int k;
    private final List<Edge> graph = new ArrayList<>();
    private final Map<Long, Integer> owners = new HashMap<>();
    private final Map<Integer, Map<String, Integer>> shards = new TreeMap<>();
    private final List<ShardChangeRecord> records = new ArrayList<>();
    private long generation;

    /** An edge, on a partition or with its owners. */
    private record Edge(long source, long target, double weight, long timestamp, long key, int place) {
        Edge at(int place) {
            return new Edge(source, target, weight, timestamp, key, place);
        }

        String text() {
            return source + " " + target + " " + weight + " " + timestamp + " " + key;
        }
    }

    /** One record of a shard. */
    record ShardChangeRecord(int shard, Header header, EdgeBatch edges) {
        byte[] value() {
            return ShardRecordCodec.encode(header.kind(), header.generation(), edges, 0, edges.size());
        }
    }

    RandomShards(long seed, PartitioningKind kind, int k) {
        random = new SplittableRandom(seed);
        this.kind = kind;
        this.k = k;
    }

    /** Changes something, and takes everything out of the graph if it shrinks. */
    void step(boolean grows) {
        int choice = random.nextInt(100);
        if (graph.isEmpty() || choice < (grows ? 70 : 5)) {
            add();
        } else if (choice < (grows ? 85 : 90)) {
            remove(random.nextInt(graph.size()));
        } else if (kind == PartitioningKind.EDGE) {
            move(random.nextInt(graph.size()));
        } else {
            moveVertex(graph.get(random.nextInt(graph.size())).source());
        }
        if (random.nextInt(200) == 0) {
            generation++;
        }
    }

    boolean isEmpty() {
        return graph.isEmpty();
    }

    private void add() {
        long source = random.nextInt(VERTICES) - 5;
        long target = random.nextInt(VERTICES) - 5;
        double weight = random.nextBoolean() ? Double.NaN : random.nextInt(3) / 2.0;
        long timestamp = random.nextBoolean() ? EdgeBatch.NO_TIMESTAMP : random.nextInt(3);
        int place = kind == PartitioningKind.EDGE ? random.nextInt(k) : Place.of(owner(source), owner(target));
        long key = random.nextBoolean() ? EdgeBatch.NO_KEY : random.nextInt(3);
        Edge edge = new Edge(source, target, weight, timestamp, key, place);
        graph.add(edge);
        record(ShardChange.ADD, edge);
    }

    private int owner(long vertex) {
        return owners.computeIfAbsent(vertex, v -> random.nextInt(k));
    }

    private void remove(int i) {
        Edge edge = graph.get(i);
        graph.set(i, graph.get(graph.size() - 1));
        graph.remove(graph.size() - 1);
        record(ShardChange.REMOVE, edge);
    }

    private void move(int i) {
        Edge edge = graph.get(i);
        Edge moved = edge.at(random.nextInt(k));
        graph.set(i, moved);
        record(ShardChange.EVICT, edge);
        record(ShardChange.ADOPT, moved);
    }

    private void moveVertex(long vertex) {
        owners.put(vertex, random.nextInt(k));
        for (int i = 0; i < graph.size(); i++) {
            Edge edge = graph.get(i);
            Edge moved = edge.at(Place.of(owner(edge.source()), owner(edge.target())));
            if (moved.place() != edge.place()) {
                graph.set(i, moved);
                record(ShardChange.EVICT, edge);
                record(ShardChange.ADOPT, moved);
            }
        }
    }

    private void record(ShardChange change, Edge edge) {
        if (kind == PartitioningKind.EDGE) {
            record(change, edge, edge.place(), EdgeBatch.NO_PLACE);
            return;
        }
        int ofSource = Place.ofSource(edge.place());
        int ofTarget = Place.ofTarget(edge.place());
        record(change, edge, ofSource, edge.place());
        if (ofTarget != ofSource) {
            record(change, edge, ofTarget, edge.place());
        }
    }

    private void record(ShardChange change, Edge edge, int shard, int owners) {
        String text = edge.text() + (owners == EdgeBatch.NO_PLACE ? "" : " owned " + owners);
        Map<String, Integer> there = shards.computeIfAbsent(shard, number -> new TreeMap<>());
        if (there.merge(text, change.isEntering() ? 1 : -1, Integer::sum) == 0) {
            there.remove(text);
        }
        Header header = new Header(Kind.of(change, owners != EdgeBatch.NO_PLACE), generation);
        ShardChangeRecord last = records.isEmpty() ? null : records.get(records.size() - 1);
        if (last == null || last.shard() != shard || !last.header().equals(header)) {
            last = new ShardChangeRecord(shard, header, new EdgeBatch(4));
            records.add(last);
        }
        last.edges().add(edge.source(), edge.target(), edge.weight(), edge.timestamp(), edge.key());
        if (owners != EdgeBatch.NO_PLACE) {
            last.edges().setPlace(last.edges().size() - 1, owners);
        }
    }

    /** The records since the last call. */
    List<ShardChangeRecord> drain() {
        List<ShardChangeRecord> drained = List.copyOf(records);
        records.clear();
        return drained;
    }

    /** Copies of each edge of a shard as it is now. */
    Map<String, Integer> shard(int shard) {
        return Map.copyOf(shards.getOrDefault(shard, Map.of()));
    }

    /** The edges of the graph as it is now. */
    EdgeMultiset graph() {
        EdgeBatch batch = new EdgeBatch();
        graph.forEach(edge -> batch.add(edge.source(), edge.target(), edge.weight(), edge.timestamp(), edge.key()));
        EdgeMultiset edges = new EdgeMultiset();
        edges.add(batch);
        return edges;
    }

    long generation() {
        return generation;
    }

    /** Returns the content of a replay in the form of {@link #shard}. */
    static Map<String, Integer> text(EdgeMultiset edges) {
        Map<String, Integer> text = new TreeMap<>();
        edges.forEach(batch -> {
            for (int i = 0; i < batch.size(); i++) {
                String edge = batch.source(i) + " " + batch.target(i) + " " + batch.weight(i) + " "
                        + batch.timestamp(i) + " " + batch.key(i)
                        + (batch.place(i) == EdgeBatch.NO_PLACE ? "" : " owned " + batch.place(i));
                text.merge(edge, 1, Integer::sum);
            }
        });
        return text;
    }
}
