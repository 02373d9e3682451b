package io.cutwater.state.placement;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Prints how long the batches of a stream take while plans of a buffer are made, which is what a barrier waits for. The
 * table is in {@code deploy/docs/reference/benchmarks-buffers.md}.
 */
final class BufferDelayFigures {
    private static final int K = 8;
    private static final int RMAT_EDGES = 16_000_000;
    private static final PlacedEdges UNREAD = (source, target, weight, timestamp, key, place) -> {};

    private BufferDelayFigures() {}

    /**
     * @param args {@code edge} or {@code vertex}; parts of the names of the graphs that are wanted, none for all; then
     *     sizes of buffers, in turn; 0 for a window and no buffer
     */
    public static void main(String... args) {
        PartitioningKind kind = Algorithms.kindOf("cutwater", args[0]);
        Map<Boolean, List<String>> wanted =
                Arrays.stream(args).skip(1).collect(Collectors.partitioningBy(arg -> arg.matches("[0-9]+")));
        for (String name : List.of("uk-2007-05-100k", "rmat")) {
            if (wanted.get(false).isEmpty() || wanted.get(false).stream().anyMatch(name::contains)) {
                EdgeBatch edges = name.equals("rmat") ? rmat() : SharedGraph.read("data/" + name + "/edges.txt.gz");
                wanted.get(true).forEach(buffer -> print(name, edges, kind, buffer));
            }
        }
    }

    private static EdgeBatch rmat() {
        EdgeBatch rmat = new EdgeBatch(RMAT_EDGES);
        SyntheticGraph.rmat(20, 5).fill(rmat, RMAT_EDGES);
        return rmat;
    }

    private static void print(String name, EdgeBatch edges, PartitioningKind kind, String buffer) {
        PartitionerOptions options = new PartitionerOptions(
                kind, "cutwater", K, Algorithms.DEFAULT_SEED, PassMode.LIVE, Map.of("buffer", buffer));
        Algorithm algorithm = Algorithms.of(options);
        Placement placement =
                algorithm.placement(options, new VertexTable(algorithm.layout(options)), new PartitionLoads(K), null);
        long[] nanos = new long[(edges.size() + EdgeBatch.DEFAULT_CAPACITY - 1) / EdgeBatch.DEFAULT_CAPACITY];
        long mostOfTask = 0;
        long cpu = cpuNanos();
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < nanos.length; i++) {
            int from = i * EdgeBatch.DEFAULT_CAPACITY;
            for (int edge = from; edge < Math.min(edges.size(), from + EdgeBatch.DEFAULT_CAPACITY); edge++) {
                batch.addFrom(edges, edge);
            }
            long ofTask = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long start = System.nanoTime();
            placement.accept(batch, UNREAD);
            nanos[i] = System.nanoTime() - start;
            ofTask = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - ofTask;
            mostOfTask = Math.max(mostOfTask, ofTask);
            batch.clear();
        }
        placement.placeHeld(UNREAD);
        cpu = cpuNanos() - cpu;
        Quality quality = placement.quality(0);
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "%s, %s, k %d, buffer %s: batches of %d edges take at most %.0f ms, the 10th longest %.0f ms,"
                        + " and at most %.0f ms of CPU of the task; %.2f us an edge of CPU; %.3f %s%n",
                name,
                kind,
                K,
                buffer,
                EdgeBatch.DEFAULT_CAPACITY,
                nanos[nanos.length - 1] / 1e6,
                nanos[nanos.length - 10] / 1e6,
                mostOfTask / 1e6,
                cpu / 1e3 / edges.size(),
                quality.edgeCutRatio().orElse(quality.replicationFactor()),
                kind == PartitioningKind.EDGE ? "replicas a vertex" : "of the edges cut");
    }

    /** CPU time of the process, since other threads choose places. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
