package io.cutwater.flink.operator.local;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.testkit.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Prints what refinement costs where edges are kept on RocksDB, and how long batches take, which is what a barrier
 * waits for. The table is in {@code deploy/docs/reference/benchmarks-buffers.md}.
 */
final class RefinementCostFigures {
    private static final int K = 8;
    private static final int BUFFER_SHARE = 100;
    private static final int CHECKPOINT_BATCHES = 100;

    private RefinementCostFigures() {}

    /**
     * @param args {@code edge} or {@code vertex}; megabytes of the cache of vertices; then shares that may move, and
     *     parts of the names of the graphs that are wanted
     */
    public static void main(String... args) throws Exception {
        PartitioningKind kind = Algorithms.kindOf("cutwater", args[0]);
        long cacheBytes = Long.parseLong(args[1]) << 20;
        List<String> others = Arrays.asList(args).subList(2, args.length);
        for (String name :
                others.stream().filter(arg -> !arg.matches("[0-9.]+")).toList()) {
            EdgeBatch graph = read("data/" + name + ".txt.gz");
            for (String share :
                    others.stream().filter(arg -> arg.matches("[0-9.]+")).toList()) {
                print(kind, name, graph, cacheBytes, Double.parseDouble(share));
            }
        }
    }

    private static EdgeBatch read(String name) throws IOException {
        EdgeBatch graph = new EdgeBatch();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SharedData.file(name))), StandardCharsets.US_ASCII))) {
            lines.lines()
                    .map(line -> line.split(" "))
                    .forEach(ends -> graph.add(Long.parseLong(ends[0]), Long.parseLong(ends[1])));
        }
        return graph;
    }

    private static void print(PartitioningKind kind, String name, EdgeBatch graph, long cacheBytes, double share)
            throws Exception {
        PartitionerOptions partitioner = new PartitionerOptions(
                kind, "cutwater", K, 5, PassMode.LIVE, Map.of("buffer", Integer.toString(graph.size() / BUFFER_SHARE)));
        AssignOptions options = new AssignOptions(
                        partitioner, cacheBytes, true, Duration.ofSeconds(1), Duration.ofHours(1), true)
                .withRefinement(share);
        long[] nanos = new long[(graph.size() + EdgeBatch.DEFAULT_CAPACITY - 1) / EdgeBatch.DEFAULT_CAPACITY];
        long[] cpuNanos = new long[nanos.length];
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long cpu = cpuNanos();
        long ofTask = threads.getCurrentThreadCpuTime();
        double cost;
        long records = 0;
        try (TemporaryFolder checkpoints = TemporaryFolder.create();
                AssignerHarness harness = open(options, checkpoints)) {
            for (int i = 0; i < nanos.length; i++) {
                EdgeBatch batch = new EdgeBatch();
                int from = i * EdgeBatch.DEFAULT_CAPACITY;
                for (int edge = from; edge < Math.min(graph.size(), from + EdgeBatch.DEFAULT_CAPACITY); edge++) {
                    batch.addFrom(graph, edge);
                }
                long start = System.nanoTime();
                long cpuStart = threads.getCurrentThreadCpuTime();
                harness.processElement1(new StreamRecord<>(batch));
                nanos[i] = System.nanoTime() - start;
                cpuNanos[i] = threads.getCurrentThreadCpuTime() - cpuStart;
                for (Object element : harness.getOutput()) {
                    records += ((StreamRecord<?>) element).getValue() instanceof ShardBatch shard
                            ? shard.edges().size()
                            : 0;
                }
                harness.getOutput().clear();
                harness.drain(AssignerOperator.QUALITY);
                harness.drain(AssignerOperator.BOOK_CHANGES);
                if (i % CHECKPOINT_BATCHES == CHECKPOINT_BATCHES - 1) {
                    harness.prepareSnapshotPreBarrier(i);
                    harness.snapshot(i, i);
                    harness.notifyOfCompletedCheckpoint(i);
                }
            }
            cpu = cpuNanos() - cpu;
            ofTask = threads.getCurrentThreadCpuTime() - ofTask;
            harness.drain(AssignerOperator.QUALITY);
            harness.endInput();
            Quality quality = harness.quality();
            cost = quality.edgeCutRatio().orElse(quality.replicationFactor());
        }
        Arrays.sort(nanos);
        Arrays.sort(cpuNanos);
        System.out.printf(
                Locale.ROOT,
                "%s, refine %.2f, cache %d MB: %.2f us an edge of CPU, %.2f of the task; batches of %d edges take at"
                        + " most %.0f ms, %.0f ms of CPU of the task, the 10th longest %.0f ms, half of them at most %.0f ms; %.2f records"
                        + " of shards an edge; cut or replication factor %.3f%n",
                name,
                share,
                cacheBytes >> 20,
                cpu / 1e3 / graph.size(),
                ofTask / 1e3 / graph.size(),
                EdgeBatch.DEFAULT_CAPACITY,
                nanos[nanos.length - 1] / 1e6,
                cpuNanos[nanos.length - 1] / 1e6,
                nanos[nanos.length - 10] / 1e6,
                nanos[nanos.length / 2] / 1e6,
                (double) records / graph.size(),
                cost);
    }

    private static AssignerHarness open(AssignOptions options, TemporaryFolder checkpoints) throws Exception {
        AssignerHarness harness = new AssignerHarness(options, 128);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend(true));
        harness.setCheckpointStorage(
                new FileSystemCheckpointStorage(checkpoints.path().toUri()));
        harness.setup(ShardBatch.TYPE.serializer());
        harness.open();
        return harness;
    }

    /** CPU time of the process, since other threads choose places and read and write state. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
