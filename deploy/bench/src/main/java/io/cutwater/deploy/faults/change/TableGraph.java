package io.cutwater.deploy.faults.change;

import io.cutwater.deploy.faults.Edge;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The edges that the rows of table {@code payments} are. */
final class TableGraph {
    private static final String ROWS = "SELECT payer, payee FROM payments";

    private final PostgresServer postgres;
    private final String servers;
    private final Topics topics;
    private final boolean hasText;
    private List<String> kept = List.of();

    /** @param hasText whether ends are text, whose ids topic {@code ids} has */
    TableGraph(PostgresServer postgres, String servers, Topics topics, boolean hasText) {
        this.postgres = postgres;
        this.servers = servers;
        this.topics = topics;
        this.hasText = hasText;
    }

    /** Remembers the rows that are there now. */
    void keepRows() {
        kept = postgres.query(ROWS);
    }

    /**
     * Returns how often each edge is in the table.
     *
     * @param withKept whether the rows that were remembered count, too
     */
    Map<Edge, Integer> edges(boolean withKept) {
        List<String> rows = new ArrayList<>(postgres.query(ROWS));
        if (withKept) {
            rows.addAll(kept);
        }
        Map<String, Long> ids = hasText ? ids() : Map.of();
        Map<Edge, Integer> edges = new HashMap<>();
        for (String row : rows) {
            String[] ends = row.split(" ", -1);
            edges.merge(new Edge(id(ends[0], ids), id(ends[1], ids)), 1, Integer::sum);
        }
        return edges;
    }

    /** Returns the id of an end; for a text that the job has not named, one that no text has. */
    private long id(String end, Map<String, Long> ids) {
        return hasText ? ids.getOrDefault(end, 0L) : Long.parseLong(end);
    }

    private Map<String, Long> ids() {
        Map<String, Long> ids = new HashMap<>();
        new TopicReader(servers, Map.of())
                .readAll(
                        topics.ids(),
                        record -> ids.put(
                                new String(VertexTextCodec.text(record.value()), StandardCharsets.UTF_8),
                                VertexTextCodec.vertex(record.key())));
        return ids;
    }
}
