package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the edges that a job of one task has left from the vertex tables ({@link LeftEdges}), through the topic of
 * updates. It asks until each table has begun to answer, because a table reads the topic from when it starts.
 */
final class EdgesOfTables {
    private static final Logger LOG = LoggerFactory.getLogger(EdgesOfTables.class);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final UpdateSource source;
    private final int buckets;
    // The high half of a random UUID: 60 random bits, and one UUID is made in every attempt.
    private final long run = UUID.randomUUID().getMostSignificantBits();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final BitSet heard = new BitSet();
    private final BitSet ended = new BitSet();
    private final EdgeBatch buffered = new EdgeBatch(1);
    private long[] parts = new long[1]; // by table
    private boolean areLeft = true;
    private long received;

    /** @param buckets number of all buckets */
    EdgesOfTables(UpdateSource source, int buckets) {
        this.source = source;
        this.buckets = buckets;
    }

    /**
     * Waits until all edges are here.
     *
     * @param edges is passed their ends and keys: those of one source from one table, copies of an edge in the order in
     *     which they came
     * @return whether one task has left them; else there are none, and the tables have other edges
     * @throws IOException if the topic cannot be reached or a message is lost; the message is meant for operators
     */
    boolean receive(Consumer<EdgeBatch> edges) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (UpdateSource.Reader reader = source.open(0, 1, buckets);
                UpdateSource.Sender sender = source.sender(buckets, failure::set)) {
            long asked = begun - ASK_NANOS;
            long logged = begun;
            while (ended.cardinality() < buckets && areLeft) {
                long now = System.nanoTime();
                if (now - asked >= ASK_NANOS) {
                    asked = now;
                    ask(sender);
                }
                if (now - logged >= LOG_NANOS) {
                    logged = now;
                    LOG.info(
                            "{} edges that one task has left are here; {} of {} buckets have more",
                            received,
                            buckets - ended.cardinality(),
                            buckets);
                }
                for (VertexUpdate message : reader.poll()) {
                    if (message.isOfEnds() && message.run() == run) {
                        take(message, edges);
                    }
                }
                IOException failed = failure.get();
                if (failed != null) {
                    throw failed;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
        edges.accept(buffered); // the latest copies
        LOG.info(
                "{} edges that one task has left are here after {} ms",
                received,
                (System.nanoTime() - begun) / 1_000_000);
        return areLeft;
    }

    private void ask(UpdateSource.Sender sender) {
        for (int bucket = heard.nextClearBit(0); bucket < buckets; bucket = heard.nextClearBit(bucket + 1)) {
            sender.send(VertexUpdate.askEnds(run, source.loop(), bucket));
        }
    }

    private void take(VertexUpdate message, Consumer<EdgeBatch> edges) throws IOException {
        int table = message.assigner();
        if (table >= parts.length) {
            parts = Arrays.copyOf(parts, Math.max(2 * parts.length, table + 1));
        }
        if (message.endsPart() != parts[table]++) {
            throw new IOException(
                    "a message with edges of table %d was lost in the topic of vertex updates; the job restarts from its last checkpoint"
                            .formatted(table));
        }
        LeftEdges.Header header = LeftEdges.Header.of(message);
        heard.set(header.bucket(), header.bucket() + header.buckets());
        EdgeBatch ends = message.edges();
        if (ends == null) {
            return;
        }
        received += ends.size();
        switch (header.kind()) {
            case KEPT -> edges.accept(ends);
            case BUFFERED -> buffered.addAll(ends);
            case END -> ended.set(header.bucket(), header.bucket() + header.buckets());
            case NONE -> areLeft = false;
        }
    }
}
