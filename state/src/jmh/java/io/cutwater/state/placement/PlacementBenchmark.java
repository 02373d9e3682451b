package io.cutwater.state.placement;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Edges per microsecond (millions a second) of the plain loop in memory: a whole R-MAT graph of a million edges is
 * placed from empty tables, by each algorithm, and by HDRF scoring all partitions instead of taking the shortcut.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class PlacementBenchmark {
    private static final int SCALE = 18;
    private static final int EDGES = 1 << 20;

    @Param({"hash", "dbh", "grid", "greedy", "hdrf", "cutwater", "sigma-edge", "hdrf-all-partitions"})
    private String algorithm;

    @Param({"8", "32", "256"})
    private int partitionCount;

    private final EdgeBatch[] batches = new EdgeBatch[EDGES / EdgeBatch.DEFAULT_CAPACITY];

    @Setup(Level.Trial)
    public void generateGraph() {
        SyntheticGraph graph = SyntheticGraph.rmat(SCALE, 1);
        for (int i = 0; i < batches.length; i++) {
            batches[i] = new EdgeBatch();
            graph.fill(batches[i], EdgeBatch.DEFAULT_CAPACITY);
        }
    }

    @Benchmark
    @OperationsPerInvocation(EDGES)
    public long place() {
        EdgePartitioner partitioner = algorithm.equals("hdrf-all-partitions")
                ? new AllPartitionsHdrf()
                : Algorithms.edgePartitioner(PartitionerOptions.ofEdges(algorithm, partitionCount, 1));
        PartitionLoads loads = new PartitionLoads(partitionCount);
        VertexTable vertices = new VertexTable(partitioner.layout(partitionCount));
        Placement assigner = new Placement(partitioner, vertices, loads);
        PlacedEdges unread = (source, target, weight, timestamp, key, place) -> {};
        for (EdgeBatch batch : batches) {
            assigner.accept(batch, unread);
        }
        assigner.placeHeld(unread);
        return loads.totalReplicas();
    }
}
