package io.cutwater.deploy.page.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.compare.Candidate;
import io.cutwater.deploy.compare.CompareRequest;
import io.cutwater.deploy.compare.Comparison;
import io.cutwater.deploy.compare.Result;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.input.TopicMoment;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.view.AlgorithmStyle;
import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;

/** What the live algorithms would give on the newest edges of topic {@code edges}, in this process. */
public final class LiveComparison {
    /** Edges at most. */
    public static final long MOST = 1_000_000;

    private final PageRequest request;
    /** A comparison takes all of a core, so there is one at a time. */
    private final Semaphore turn = new Semaphore(1);

    public LiveComparison(PageRequest request) {
        this.request = request;
    }

    /**
     * Writes a comparison into a tree: {@code edges} compared, and {@code results} with {@code algorithm}, its
     * {@code colour} on white, and the ratios of the quality.
     *
     * @param partitions k, at least 1
     * @param isOfVertices whether the job places vertices
     * @param last newest edges that are compared, 1 to {@link #MOST}
     * @throws IOException if the topic has no edges; the message is meant for users
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read
     * @throws IllegalStateException if another comparison runs; the message is meant for users
     */
    public ObjectNode put(int partitions, boolean isOfVertices, long last, ObjectNode tree) throws IOException {
        if (!turn.tryAcquire()) {
            throw new IllegalStateException("another comparison runs; try again");
        }
        try {
            Progress.Display silent =
                    new Progress.Display(ProgressStyle.OFF, 0, new PrintWriter(Writer.nullWriter()), System::nanoTime);
            Comparison.Outcome outcome = new Comparison(comparison(partitions, isOfVertices, last), silent).run();
            tree.put("edges", outcome.input().edges().size());
            ArrayNode results = tree.putArray("results");
            for (Result result : outcome.results()) {
                ObjectNode row =
                        results.addObject().put("algorithm", result.candidate().algorithm());
                row.put("colour", AlgorithmStyle.hex(result.candidate().algorithm()));
                result.report().quality().ratios().forEach(row::put);
            }
            return tree;
        } finally {
            turn.release();
        }
    }

    private CompareRequest comparison(int partitions, boolean isOfVertices, long last) {
        InputRequest.Topic topic = new InputRequest.Topic(
                request.bootstrapServers(),
                request.topics(),
                request.topics().edges(),
                new RecordFormat.Own(EdgeEventFormat.CSV),
                new TopicMoment.Now(),
                request.clientProperties());
        PartitioningKind kind = isOfVertices ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
        return new CompareRequest(
                topic,
                last,
                null,
                Candidate.of(Set.of(kind), List.of(), PassMode.LIVE),
                List.of(partitions),
                Algorithms.DEFAULT_SEED,
                request.imbalance(),
                Map.of(),
                null);
    }
}
