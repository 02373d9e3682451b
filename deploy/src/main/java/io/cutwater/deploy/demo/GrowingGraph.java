package io.cutwater.deploy.demo;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.ingest.EdgeIngest;
import io.cutwater.kafka.ingest.IngestOptions;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.vertex.VertexSender;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Writes the graph as it grows, in a thread of its own: edges onto one topic, vertex data onto another, for every
 * second vertex before its first edge and for the others some records later. Everything also goes into files.
 */
final class GrowingGraph implements AutoCloseable {
    static final int EDGES_PER_RECORD = 1024;

    /** Records of edges between a vertex's first edge and its data, if they come later. */
    private static final int DELAY = 8;

    private final String bootstrapServers;
    private final Topics topics;
    private final LabelledGraph graph;
    private final long edgesPerSecond;
    private final GraphFiles files;
    private final BitSet known = new BitSet();
    private final Queue<Late> late = new ArrayDeque<>();
    private final float[] features = new float[LabelledGraph.FEATURES];
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Grown> growing;
    private long remaining;
    private long record;
    private Fingerprint fingerprint = Fingerprint.NONE;
    private volatile boolean isStopped;

    /** A vertex whose data come with that record of edges. */
    private record Late(long vertex, long record) {}

    /**
     * The complete graph.
     *
     * @param fingerprint of the edges
     */
    record Grown(Fingerprint fingerprint, int vertices) {}

    /**
     * Starts to write.
     *
     * @param records of {@link #EDGES_PER_RECORD} edges each
     * @param folder for the files, exists
     */
    GrowingGraph(
            String bootstrapServers, Topics topics, LabelledGraph graph, long records, long edgesPerSecond, Path folder)
            throws IOException {
        this.bootstrapServers = bootstrapServers;
        this.topics = topics;
        this.graph = graph;
        this.edgesPerSecond = edgesPerSecond;
        remaining = records;
        files = new GraphFiles(folder);
        growing = thread.submit(this::grow);
    }

    private Grown grow() throws IOException {
        IngestOptions options = new IngestOptions(
                bootstrapServers,
                topics.edges(),
                topics.deadLetters(),
                EdgeEventFormat.BATCH,
                EDGES_PER_RECORD,
                edgesPerSecond,
                Map.of());
        try (files;
                VertexSender vertices = new VertexSender(bootstrapServers, topics.vertices(), Map.of())) {
            new EdgeIngest(options, sent -> {}).run(batch -> next(batch, vertices));
            describeLate(Long.MAX_VALUE, vertices);
            vertices.flush();
        }
        return new Grown(fingerprint, known.cardinality());
    }

    private boolean next(EdgeBatch batch, VertexSender vertices) throws IOException {
        if (isStopped || remaining-- == 0) {
            return false;
        }
        graph.fill(batch, EDGES_PER_RECORD);
        fingerprint = fingerprint.plus(batch);
        files.add(batch);
        describeLate(record, vertices);
        for (int i = 0; i < batch.size(); i++) {
            meet(batch.source(i), vertices);
            meet(batch.target(i), vertices);
        }
        record++;
        return true;
    }

    private void meet(long vertex, VertexSender vertices) throws IOException {
        int number = Math.toIntExact(vertex);
        if (known.get(number)) {
            return;
        }
        known.set(number);
        if (vertex / LabelledGraph.COMMUNITIES % 2 == 0) {
            describe(vertex, vertices);
        } else {
            late.add(new Late(vertex, record + DELAY));
        }
    }

    private void describeLate(long until, VertexSender vertices) throws IOException {
        while (!late.isEmpty() && late.element().record() <= until) {
            describe(late.remove().vertex(), vertices);
        }
    }

    private void describe(long vertex, VertexSender vertices) throws IOException {
        graph.features(vertex, features);
        VertexRecord described = new VertexRecord(vertex, features, graph.label(vertex), graph.split(vertex));
        files.add(described);
        vertices.send(described);
    }

    /** Waits for the end. */
    Grown await() throws IOException, InterruptedException {
        try {
            return growing.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "the graph could not be written to topic %s: %s".formatted(topics.edges(), cause.getMessage()), e);
        }
    }

    /** Returns the files, after the end. */
    GraphFiles files() {
        return files;
    }

    @Override
    public void close() {
        isStopped = true;
        thread.shutdown();
        try {
            thread.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
