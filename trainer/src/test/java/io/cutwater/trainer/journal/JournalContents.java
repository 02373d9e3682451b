package io.cutwater.trainer.journal;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The contents of a journal as text, and the contents that records should give. */
final class JournalContents implements ChangeHandler {
    private final Map<String, Object> expected = new TreeMap<>();

    /** Returns what the records handled so far should give. */
    Map<String, Object> expected() {
        return expected;
    }

    @Override
    public boolean wants(int shard) {
        return true;
    }

    @Override
    public void edges(int shard, Header header, EdgeBatch edges) {
        int by = header.kind().change().isEntering() ? 1 : -1;
        expected.merge(
                edge(edges.source(0), edges.target(0), edges.place(0)),
                by,
                (a, b) -> (int) a + (int) b == 0 ? null : (int) a + (int) b);
    }

    @Override
    public void data(int shard, VertexRecord vertex) {
        expected.put("row " + vertex.vertex(), vertex);
    }

    @Override
    public void gone(int shard, long vertex) {
        expected.remove("row " + vertex);
    }

    private static String edge(long source, long target, int place) {
        return "edge %d %d %d".formatted(source, target, place);
    }

    /** Reads a journal, and refuses edges or rows that appear twice. */
    static Map<String, Object> of(ShardJournal journal) throws IOException {
        Map<String, Object> contents = new TreeMap<>();
        journal.readEdges((source, target, place, copies) -> add(contents, edge(source, target, place), copies));
        journal.readRows(row -> add(contents, "row " + row.vertex(), row));
        return contents;
    }

    private static void add(Map<String, Object> contents, String name, Object value) {
        if (contents.put(name, value) != null) {
            throw new AssertionError(name + " appears twice");
        }
    }

    /** Reads the edges of a journal in their order. */
    static List<String> edges(ShardJournal journal) throws IOException {
        List<String> edges = new ArrayList<>();
        journal.readEdges((source, target, place, copies) -> edges.add(edge(source, target, place)));
        return edges;
    }
}
