package io.cutwater.deploy.compare;

import io.cutwater.deploy.input.EdgesInMemory;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.passes.VertexPassRunner;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs algorithms one after the other over the same edges, in this process and without Flink: the partitioners that the
 * job runs, with the loop that it shares, and those that need the whole graph.
 *
 * <p>Times are those of the algorithm alone, with its passes and its tables; reading the files, building adjacency
 * lists and counting the quality of a placement of the whole graph are not included.
 */
public final class Comparison {
    private static final double NANOS = 1e9;

    private final CompareRequest request;
    private final Progress.Display display;
    private @Nullable AdjacencyGraph graph;

    public Comparison(CompareRequest request, Progress.Display display) {
        this.request = request;
        this.display = display;
    }

    /**
     * Result of a comparison.
     *
     * @param input the edges on which the algorithms ran
     * @param results one for each number of partitions and candidate, in their order
     */
    public record Outcome(EdgesInMemory input, List<Result> results) {}

    /**
     * @throws IOException if a file cannot be read or has no edge, or if the memory is too small; the message is meant
     *     for users
     */
    public Outcome run() throws IOException {
        try {
            EdgesInMemory input = read();
            if (input.edges().isEmpty()) {
                throw new IOException(
                        "there is no edge in the input (%,d dead letters); check --edges or --topic, and the format"
                                .formatted(input.deadLetters()));
            }
            EdgeContest edges = new EdgeContest(request, input, display);
            List<Result> results = new ArrayList<>();
            for (int partitionCount : request.partitionCounts()) {
                for (Candidate candidate : request.candidates()) {
                    String task = "%d of %d, %s (%s, %s, k = %d)"
                            .formatted(
                                    results.size() + 1,
                                    request.partitionCounts().size()
                                            * request.candidates().size(),
                                    candidate.algorithm(),
                                    candidate.kind().label(),
                                    candidate.label(),
                                    partitionCount);
                    if (candidate.kind().hasOwners()) {
                        results.add(ofVertices(candidate, partitionCount, input, task));
                    } else if (candidate.description().isPlacedAsGraph(request.options(candidate, partitionCount))) {
                        results.add(edges.planned(candidate, partitionCount, graph(input), task));
                    } else {
                        results.add(edges.streamed(candidate, partitionCount, task));
                    }
                }
            }
            return new Outcome(input, results);
        } catch (OutOfMemoryError e) {
            throw new IOException(
                    ("the graph does not fit into the %,d MiB that Java may take; give it more with"
                                    + " CUTWATER_JAVA_OPTS=-Xmx16g, or compare on a part of the edges")
                            .formatted(Runtime.getRuntime().maxMemory() >> 20),
                    e);
        }
    }

    private EdgesInMemory read() throws IOException {
        if (request.input() instanceof InputRequest.Topic topic) {
            return EdgesInMemory.read(topic, request.last(), request.shuffleSeed(), display);
        }
        return EdgesInMemory.read((InputRequest.Files) request.input(), request.shuffleSeed(), display);
    }

    private Result ofVertices(Candidate candidate, int k, EdgesInMemory input, String task) {
        if (candidate.passes() == PassMode.LIVE) {
            return ofStreamedVertices(candidate, k, input, task);
        }
        AdjacencyGraph graph = graph(input);
        long startedAt = display.nanoTime().getAsLong();
        VertexPartitioner partitioner = Algorithms.vertexPartitioner(
                request.options(candidate, k), new GraphSize(graph.vertexCount(), graph.edgeCount()));
        TrainingVertices training = request.training();
        VertexPlacement placement;
        try (Progress progress = display.begin(task)) {
            placement = VertexPassRunner.place(graph, new ShownPasses(partitioner, graph, progress), k, training);
        }
        double seconds = (display.nanoTime().getAsLong() - startedAt) / NANOS;
        Quality quality = Quality.of(graph, placement.partitions(), k).withDeadLetters(input.deadLetters());
        return new Result(
                candidate,
                new RunReport(candidate.algorithm(), request.seed(), quality, seconds, PeakMemory.bytes())
                        .withTraining(training == null ? null : TrainingQuality.of(placement.training())));
    }

    private Result ofStreamedVertices(Candidate candidate, int k, EdgesInMemory input, String task) {
        PartitionerOptions options = request.options(candidate, k);
        long startedAt = display.nanoTime().getAsLong();
        Algorithm algorithm = candidate.description();
        VertexTable vertices = new VertexTable(algorithm.layout(options));
        Placement placement = algorithm.placement(options, vertices, new PartitionLoads(k), null);
        new EdgeStream(input.edges(), display).feed(placement, 1, task);
        double seconds = (display.nanoTime().getAsLong() - startedAt) / NANOS;
        TrainingVertices training = request.training();
        return new Result(
                candidate,
                new RunReport(
                                candidate.algorithm(),
                                request.seed(),
                                placement.quality(input.deadLetters()),
                                seconds,
                                PeakMemory.bytes())
                        .withTraining(training == null ? null : TrainingQuality.of(training, vertices)));
    }

    /** Returns the graph, which is built when the first algorithm needs it. */
    private AdjacencyGraph graph(EdgesInMemory input) {
        AdjacencyGraph known = graph;
        if (known == null) {
            // With a random order of the edges, the order in which they name the vertices is random, too.
            known = request.shuffleSeed() == null
                    ? AdjacencyGraph.sorted(input.edges())
                    : AdjacencyGraph.of(input.edges());
            graph = known;
        }
        return known;
    }
}
