package io.cutwater.deploy.page.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.state.BookSample;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.textid.TextLookup;
import io.cutwater.kafka.topic.TopicAdmin;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of single vertices among the newest edges of topic {@code shards}, for a drawing: its neighbours,
 * some of theirs, and the edges between them, each with its shards.
 */
public final class Neighbourhood {
    /** Records of the topic that are read at most, and vertices that a drawing has at most. */
    private static final long RECORDS = 20_000;

    private static final int NEIGHBOURS = 40;
    private static final int VERTICES = 90;
    /** Pairs of edge and shard that are kept at most while records are read. */
    private static final int EDGES = 50_000;

    private final PageRequest request;
    private final BookSample book;
    /** A look reads many records, so there is one at a time. */
    private final Semaphore turn = new Semaphore(1);

    public Neighbourhood(PageRequest request, BookSample book) {
        this.request = request;
        this.book = book;
    }

    /** Where records begin and end that are looked at, by topic partition. */
    private record Span(Map<Integer, Long> begins, Map<Integer, Long> ends, boolean isWhole) {}

    /**
     * Writes the surroundings of a vertex into a tree: {@code vertices} with id and, where known, text and owner, the
     * vertex itself first; {@code edges}, each as two indexes of vertices and then its shards; {@code isWhole}, whether
     * all records of the topic were read; {@code isFull}, whether edges were left out to bound the memory.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read
     * @throws IllegalStateException if another vertex is being looked at; the message is meant for users
     */
    public ObjectNode put(long vertex, ObjectNode tree) {
        if (!turn.tryAcquire()) {
            throw new IllegalStateException("another vertex is being looked up; try again");
        }
        try {
            Span span = span();
            Map<Long, Integer> indexes = new LinkedHashMap<>(Map.of(vertex, 0));
            FoundEdges first = edges(span, indexes.keySet());
            addEnds(first, NEIGHBOURS + 1, indexes);
            FoundEdges second = edges(span, indexes.keySet());
            addEnds(second, VERTICES, indexes);
            return put(indexes, second, tree)
                    .put("isWhole", span.isWhole())
                    .put("isFull", first.isFull() || second.isFull());
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

    /** Gives an index to the ends of edges until there are as many, or one more. */
    private static void addEnds(FoundEdges edges, int most, Map<Long, Integer> indexes) {
        for (FoundEdges.Edge edge : edges.shards().keySet()) {
            if (indexes.size() >= most) {
                return;
            }
            indexes.putIfAbsent(edge.source(), indexes.size());
            indexes.putIfAbsent(edge.target(), indexes.size());
        }
    }

    /** Returns the edges with an end among these vertices that are still in a shard. */
    private FoundEdges edges(Span span, Set<Long> vertices) {
        FoundEdges found = new FoundEdges(EDGES);
        new ShardTopicReader(request.bootstrapServers(), request.clientProperties())
                .read(request.topics().shards(), span.begins(), span.ends(), (shard, header, edges) -> {
                    for (int i = 0; i < edges.size(); i++) {
                        if (vertices.contains(edges.source(i)) || vertices.contains(edges.target(i))) {
                            found.accept(shard, header.kind().change(), edges.source(i), edges.target(i));
                        }
                    }
                });
        return found;
    }

    /** Returns the texts of these vertices; null if ids are integers. */
    private @Nullable TextLookup texts(Set<Long> vertices) {
        long[] ascending = vertices.stream().mapToLong(Long::longValue).sorted().toArray();
        return TextLookup.read(request.bootstrapServers(), request.clientProperties(), request.topics(), ascending)
                .orElse(null);
    }

    private ObjectNode put(Map<Long, Integer> indexes, FoundEdges edges, ObjectNode tree) {
        ArrayNode vertices = tree.putArray("vertices");
        TextLookup texts = texts(indexes.keySet());
        for (long id : indexes.keySet()) {
            ObjectNode vertex = vertices.addObject().put("id", Long.toString(id));
            if (texts != null) {
                texts.find(id).ifPresent(text -> vertex.put("text", text));
            }
            book.entry(id)
                    .filter(entry -> entry.owner() != PartitionBookEntry.NO_OWNER)
                    .ifPresent(entry -> vertex.put("owner", entry.owner()).put("copies", entry.replicas().length));
        }
        ArrayNode lines = tree.putArray("edges");
        edges.shards().forEach((edge, shards) -> {
            Integer source = indexes.get(edge.source());
            Integer target = indexes.get(edge.target());
            if (source != null && target != null) {
                ArrayNode line = lines.addArray().add(source.intValue()).add(target.intValue());
                shards.forEach(line::add);
            }
        });
        return tree;
    }
}
