package io.cutwater.deploy.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * The surroundings of single vertices among the newest edges of topic {@code shards}, for a drawing: its neighbours,
 * some of theirs, and the edges between them, each with its shard.
 */
final class Neighbourhood {
    /** Records of the topic that are read at most, and vertices that a drawing has at most. */
    private static final long RECORDS = 20_000;

    private static final int NEIGHBOURS = 40;
    private static final int VERTICES = 90;

    private final PageRequest request;
    private final BookSample book;
    /** A look reads many records, so there is one at a time. */
    private final Semaphore turn = new Semaphore(1);

    Neighbourhood(PageRequest request, BookSample book) {
        this.request = request;
        this.book = book;
    }

    /** Where records begin and end that are looked at, by topic partition. */
    private record Span(Map<Integer, Long> begins, Map<Integer, Long> ends, boolean isWhole) {}

    private record Edge(long source, long target) {}

    /**
     * Writes the surroundings of a vertex into a tree: {@code vertices} with id and, where known, owner, the vertex
     * itself first; {@code edges} as triples of two indexes of vertices and a shard; {@code isWhole}, whether all
     * records of the topic were read.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read
     * @throws IllegalStateException if another vertex is being looked at; the message is meant for users
     */
    ObjectNode put(long vertex, ObjectNode tree) {
        if (!turn.tryAcquire()) {
            throw new IllegalStateException("another vertex is being looked up; try again");
        }
        try {
            Span span = span();
            Map<Long, Integer> indexes = new LinkedHashMap<>(Map.of(vertex, 0));
            for (Edge edge : edges(span, indexes).keySet()) {
                if (indexes.size() <= NEIGHBOURS) {
                    indexes.putIfAbsent(edge.source(), indexes.size());
                    indexes.putIfAbsent(edge.target(), indexes.size());
                }
            }
            Map<Edge, Integer> edges = edges(span, indexes);
            for (Edge edge : edges.keySet()) {
                if (indexes.size() < VERTICES) {
                    indexes.putIfAbsent(edge.source(), indexes.size());
                    indexes.putIfAbsent(edge.target(), indexes.size());
                }
            }
            return put(indexes, edges, tree).put("isWhole", span.isWhole());
        } finally {
            turn.release();
        }
    }

    private Span span() {
        String topic = request.topics().shards();
        try (TopicAdmin admin = TopicAdmin.connect(request.bootstrapServers(), request.clientProperties())) {
            Map<Integer, Long> beginnings = admin.offsets().beginnings(topic);
            Map<Integer, Long> ends = admin.offsets().ends(topic);
            long each = Math.max(1, RECORDS / Math.max(1, ends.size()));
            Map<Integer, Long> begins = new HashMap<>();
            ends.forEach((part, end) -> begins.put(part, Math.max(beginnings.getOrDefault(part, 0L), end - each)));
            return new Span(begins, ends, begins.equals(beginnings));
        }
    }

    /** Returns the edges with an end among these vertices that are still in a shard, and the shard of each. */
    private Map<Edge, Integer> edges(Span span, Map<Long, Integer> vertices) {
        Map<Edge, Integer> found = new LinkedHashMap<>();
        new ShardTopicReader(request.bootstrapServers(), request.clientProperties())
                .read(request.topics().shards(), span.begins(), span.ends(), (shard, header, edges) -> {
                    for (int i = 0; i < edges.size(); i++) {
                        Edge edge = new Edge(edges.source(i), edges.target(i));
                        if (vertices.containsKey(edge.source()) || vertices.containsKey(edge.target())) {
                            if (header.kind().change().isEntering()) {
                                found.put(edge, shard);
                            } else {
                                found.remove(edge, shard);
                            }
                        }
                    }
                });
        return found;
    }

    private ObjectNode put(Map<Long, Integer> indexes, Map<Edge, Integer> edges, ObjectNode tree) {
        ArrayNode vertices = tree.putArray("vertices");
        List<Long> ids = new ArrayList<>(indexes.keySet());
        for (long id : ids) {
            ObjectNode vertex = vertices.addObject().put("id", Long.toString(id));
            book.entry(id)
                    .filter(entry -> entry.owner() != PartitionBookEntry.NO_OWNER)
                    .ifPresent(entry -> vertex.put("owner", entry.owner()).put("copies", entry.replicas().length));
        }
        ArrayNode lines = tree.putArray("edges");
        edges.forEach((edge, shard) -> {
            Integer source = indexes.get(edge.source());
            Integer target = indexes.get(edge.target());
            if (source != null && target != null) {
                lines.addArray().add(source.intValue()).add(target.intValue()).add(shard.intValue());
            }
        });
        return tree;
    }
}
