package io.cutwater.state.plan;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Seconds for one plan of a quotient graph of a few million edges, cold and warm: communities with hubs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC"})
public class QuotientPlannerBenchmark {
    private static final int COMMUNITIES = 3000;
    private static final double SLACK = 1.05;

    @Param({"1000000", "3000000"})
    private int edges;

    @Param({"32"})
    private int partitionCount;

    private QuotientGraph graph = new QuotientGraphBuilder(0).build();

    @Setup(Level.Trial)
    public void generateGraph() {
        EdgeBatch batch = new EdgeBatch();
        SyntheticGraph.growingCommunities(COMMUNITIES, 1).fill(batch, edges);
        AdjacencyGraph vertices = AdjacencyGraph.of(batch);
        QuotientGraphBuilder builder = new QuotientGraphBuilder(vertices.vertexCount());
        for (int v = 0; v < vertices.vertexCount(); v++) {
            builder.addVertex(v, vertices.degree(v));
        }
        for (int i = 0; i < vertices.edgeCount(); i++) {
            builder.addEdge(vertices.source(i), vertices.target(i));
        }
        graph = builder.build();
        System.out.printf("%d clusters, %d pairs%n", graph.clusterCount(), graph.targets().length / 2);
    }

    @Benchmark
    public long plan() {
        PlanRequest request = new PlanRequest(
                partitionCount,
                (long) (SLACK * graph.totalSize() / partitionCount),
                (long) (SLACK * graph.totalVolume() / partitionCount),
                1);
        return graph.cut(QuotientPlanner.plan(graph, request));
    }
}
