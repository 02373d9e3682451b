package io.cutwater.deploy.bench;

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
 * {@value #SAMPLE_MILLIS} ms. One run without warm-up, because the peak of memory is that of the process.
 */
final class BulkBench {
    private static final int SAMPLE_MILLIS = 10;
    private static final long CACHE_BYTES = 256L << 20;
    private static final double NANOS = 1e9;

    private final Map<String, Long> nanosByStage = new LinkedHashMap<>();
    private String stage = BulkStage.STARTING;
    private long since;

    private BulkBench(long startedAt) {
        since = startedAt;
    }

    static void run(String graph, PartitionerOptions options, PrintStream out) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path folder = temporary.path();
            Path file = BenchGraph.file(graph, folder);
            Path report = folder.resolve("live.json");
            PartitionRequest request = new PartitionRequest(
                    BenchGraph.input(file),
                    AssignOptions.of(options, CACHE_BYTES, Duration.ZERO, false),
                    null,
                    new JobOutput(folder.resolve("staging"), null, report));
            EmbeddedOptions embedded =
                    new EmbeddedOptions(folder, Duration.ofSeconds(10), MeasuredJob.Work.ROCKSDB_BYTES, 0);
            BulkBench bench = new BulkBench(System.nanoTime());
            try (EmbeddedRun run = EmbeddedRun.start(request, embedded)) {
                while (!run.await(Duration.ofMillis(SAMPLE_MILLIS))) {
                    bench.enter(run.metrics().text(BulkStage.STAGE).orElse(BulkStage.STARTING));
                }
            }
            bench.enter("end");
            bench.print(file, LiveReport.read(report).orElseThrow().report(), out);
        }
    }

    private void enter(String next) {
        if (!next.equals(stage)) {
            long now = System.nanoTime();
            nanosByStage.merge(stage, now - since, Long::sum);
            stage = next;
            since = now;
        }
    }

    private void print(Path file, RunReport report, PrintStream out) {
        long edges = report.quality().edges();
        out.printf(
                "%s: %,d edges, %,d vertices, %s (%s) in bulk, k = %d, one run%n%n",
                file.getFileName(),
                edges,
                report.quality().vertices(),
                report.algorithm(),
                report.kind().label(),
                report.quality().partitions());
        out.println("| stage | s | ns an edge |");
        out.println("|---|---|---|");
        nanosByStage.forEach((name, nanos) -> row(name, nanos, edges, out));
        row("all", nanosByStage.values().stream().mapToLong(Long::longValue).sum(), edges, out);
        report.quality()
                .edgeBalance()
                .ifPresent(balance -> out.printf(
                        "%nreplication factor %.4f, edge balance %.4f%n",
                        report.quality().replicationFactor(), balance));
        out.printf(
                "%npeak memory of the process %,d MB, whose heap may have %,d MB%n",
                PeakMemory.bytes() >> 20, Runtime.getRuntime().maxMemory() >> 20);
    }

    private static void row(String name, long nanos, long edges, PrintStream out) {
        out.printf("| %s | %.2f | %.0f |%n", name, nanos / NANOS, (double) nanos / edges);
    }
}
