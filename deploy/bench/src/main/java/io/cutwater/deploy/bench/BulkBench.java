package io.cutwater.deploy.bench;

import io.cutwater.flink.connector.bulk.PassParts;
import io.cutwater.flink.connector.bulk.work.BulkStage;
import io.cutwater.flink.connector.report.LiveReport;
import io.cutwater.flink.connector.report.PeakMemory;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.topology.JobOutput;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures one bulk job, file to staged shards, with the time of each of its stages, sampled every
 * {@value #SAMPLE_MILLIS} ms. The CPU time of the busiest thread is what idle cores would need at least. One run
 * without warm-up, because the peak of memory is that of the process.
 */
final class BulkBench {
    private static final int SAMPLE_MILLIS = 10;
    private static final long CACHE_BYTES = 256L << 20;
    private static final double NANOS = 1e9;

    private final Map<String, Times> timesByStage = new LinkedHashMap<>();
    private String stage = BulkStage.STARTING;
    private long since;
    private double cpuSince = BusiestThread.processSeconds();
    private BusiestThread threads = new BusiestThread();

    /**
     * Times of a stage in seconds.
     *
     * @param wall on the clock
     * @param cpu of the whole process
     * @param busiest CPU time of the busiest thread
     */
    private record Times(double wall, double cpu, double busiest) {
        Times plus(Times other) {
            return new Times(wall + other.wall, cpu + other.cpu, busiest + other.busiest);
        }
    }

    private BulkBench(long startedAt) {
        since = startedAt;
    }

    /** @param parts threads of the passes */
    static void run(String graph, PartitionerOptions options, int parts, PrintStream out) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path folder = temporary.path();
            Path file = BenchGraph.file(graph, folder);
            Path report = folder.resolve("live.json");
            PartitionRequest request = new PartitionRequest(
                    BenchGraph.input(file),
                    AssignOptions.of(options, CACHE_BYTES, Duration.ZERO, false),
                    null,
                    new JobOutput(folder.resolve("staging"), null, report),
                    PassParts.inThreads(parts));
            EmbeddedOptions embedded =
                    new EmbeddedOptions(folder, Duration.ofSeconds(10), MeasuredJob.Work.ROCKSDB_BYTES, 0);
            BulkBench bench = new BulkBench(System.nanoTime());
            try (EmbeddedRun run = EmbeddedRun.start(request, embedded)) {
                while (!run.await(Duration.ofMillis(SAMPLE_MILLIS))) {
                    bench.enter(run.metrics().text(BulkStage.STAGE).orElse(BulkStage.STARTING));
                }
            }
            bench.enter("end");
            bench.print(file, parts, LiveReport.read(report).orElseThrow().report(), out);
        }
    }

    private void enter(String next) {
        threads.sample();
        if (!next.equals(stage)) {
            long now = System.nanoTime();
            double cpu = BusiestThread.processSeconds();
            timesByStage.merge(
                    stage, new Times((now - since) / NANOS, cpu - cpuSince, threads.mostSeconds()), Times::plus);
            stage = next;
            since = now;
            cpuSince = cpu;
            threads = new BusiestThread();
        }
    }

    private void print(Path file, int parts, RunReport report, PrintStream out) {
        long edges = report.quality().edges();
        out.printf(
                "%s: %,d edges, %,d vertices, %s (%s) in bulk, k = %d, %d threads, one run%n%n",
                file.getFileName(),
                edges,
                report.quality().vertices(),
                report.algorithm(),
                report.kind().label(),
                report.quality().partitions(),
                parts);
        out.println("| stage | s | CPU s | busiest thread s | its ns an edge |");
        out.println("|---|---|---|---|---|");
        timesByStage.forEach((name, times) -> row(name, times, edges, out));
        row("all", timesByStage.values().stream().reduce(new Times(0, 0, 0), Times::plus), edges, out);
        report.quality()
                .edgeBalance()
                .ifPresent(balance -> out.printf(
                        "%nreplication factor %.4f, edge balance %.4f%n",
                        report.quality().replicationFactor(), balance));
        out.printf(
                "%npeak memory of the process %,d MB, whose heap may have %,d MB%n",
                PeakMemory.bytes() >> 20, Runtime.getRuntime().maxMemory() >> 20);
    }

    private static void row(String name, Times times, long edges, PrintStream out) {
        out.printf(
                "| %s | %.2f | %.2f | %.2f | %.0f |%n",
                name, times.wall(), times.cpu(), times.busiest(), times.busiest() * NANOS / edges);
    }
}
