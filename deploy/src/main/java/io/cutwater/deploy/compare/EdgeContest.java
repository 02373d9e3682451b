package io.cutwater.deploy.compare;

import io.cutwater.deploy.input.EdgesInMemory;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;

/** Places all edges with one edge algorithm after the other, each with its own tables. */
final class EdgeContest {
    private static final double NANOS = 1e9;

    private final CompareRequest request;
    private final EdgesInMemory input;
    private final Progress.Display display;

    EdgeContest(CompareRequest request, EdgesInMemory input, Progress.Display display) {
        this.request = request;
        this.input = input;
        this.display = display;
    }

    /** Runs an algorithm over the stream of edges, in all its passes. */
    Result streamed(Candidate candidate, int partitionCount, String task) {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(request.options(candidate, partitionCount));
        PartitionLoads loads = new PartitionLoads(partitionCount);
        long startedAt = now();
        VertexTable vertices = assign(partitioner, loads, task);
        return result(candidate, loads, vertices, (now() - startedAt) / NANOS);
    }

    /** Places the graph in memory by a plan of its clusters; counting the quality is not timed. */
    Result planned(Candidate candidate, int partitionCount, AdjacencyGraph graph, String task) {
        display.say(task + ": no progress is shown while its edges are placed");
        PartitionerOptions options = request.options(candidate, partitionCount);
        GraphSize size = new GraphSize(graph.vertexCount(), graph.edgeCount());
        GraphPartitioner partitioner =
                (GraphPartitioner) candidate.description().bulkRule(options, size);
        int[] partitions = new int[Math.toIntExact(graph.edgeCount())];
        Arrays.fill(partitions, EdgePlaces.NONE);
        long startedAt = now();
        partitioner.place(graph, EdgePlaces.of(partitions));
        double seconds = (now() - startedAt) / NANOS;
        PartitionLoads loads = new PartitionLoads(partitionCount);
        VertexTable vertices = assign(new PlacedBefore(partitions), loads, task);
        return result(candidate, loads, vertices, seconds);
    }

    private VertexTable assign(EdgePartitioner partitioner, PartitionLoads loads, String task) {
        VertexTable vertices = new VertexTable(partitioner.layout(loads.partitionCount()));
        Placement placement = new Placement(partitioner, vertices, loads);
        new EdgeStream(input.edges(), display).feed(placement, partitioner.preparationPasses() + 1, task);
        return vertices;
    }

    /** Edges that are already placed, in their order, so that the quality of all algorithms is counted in one way. */
    private static final class PlacedBefore implements EdgePartitioner {
        private final int[] partitions;
        private int next;

        PlacedBefore(int[] partitions) {
            this.partitions = partitions;
        }

        @Override
        public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
            return partitions[next++];
        }
    }

    private Result result(Candidate candidate, PartitionLoads loads, VertexTable vertices, double seconds) {
        Quality quality = Quality.of(loads, input.deadLetters());
        TrainingVertices training = request.training();
        return new Result(
                candidate,
                new RunReport(candidate.algorithm(), request.seed(), quality, seconds, PeakMemory.bytes())
                        .withTraining(training == null ? null : TrainingQuality.of(training, vertices)));
    }

    private long now() {
        return display.nanoTime().getAsLong();
    }
}
