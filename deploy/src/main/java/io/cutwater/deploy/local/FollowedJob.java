package io.cutwater.deploy.local;

import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.bulk.BulkSources;
import io.cutwater.flink.connector.bulk.work.BulkStage;
import io.cutwater.flink.connector.report.LiveReport;
import io.cutwater.flink.job.EmbeddedMetrics;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.operator.CountLeftOut;
import io.cutwater.flink.operator.DropDuplicatesOperator;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A partitioning job on an embedded cluster, with its progress from start to end. */
final class FollowedJob {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long ROCKSDB_BYTES = 128L << 20;
    private static final int RESTARTS = 3;
    private static final double NANOS = 1e9;

    private final PartitionRequest request;
    private final Path liveReport;
    private final long expectedProgress;
    private final EmbeddedOptions options;
    private double startUpSeconds;
    private long duplicates;
    private long unknownRemovals;
    private long takenAway;

    /**
     * @param request with a live report
     * @param work an empty folder for everything that the cluster writes, removed by the caller
     */
    FollowedJob(PartitionRequest request, Path work, Duration checkpointInterval) {
        this.request = request;
        liveReport = Objects.requireNonNull(request.output().liveReport());
        expectedProgress = request.passes() * request.input().length();
        options = new EmbeddedOptions(work.resolve("flink"), checkpointInterval, ROCKSDB_BYTES, RESTARTS);
    }

    /** Runs the job to its end, and returns its last report. */
    RunReport run(RunResources resources, Progress.Display display)
            throws IOException, JobFailedException, InterruptedException {
        long startedAt = display.nanoTime().getAsLong();
        display.say("starting Flink in this process");
        EmbeddedRun run = resources.add(EmbeddedRun.start(request, options));
        boolean hasPasses = request.isBulk() || BulkSources.isNet(request.input());
        if (hasPasses) {
            followPasses(run, display);
        }
        try (Progress progress = display.begin(hasPasses ? "write, step 2 of 2" : "partition")) {
            boolean isDone = false;
            LiveReport latest = null;
            while (!isDone) {
                isDone = run.await(POLL);
                latest = latest(latest);
                show(latest, progress);
            }
            if (latest == null) {
                throw new IllegalStateException("the job ended without a report");
            }
            // The report's time begins when the tasks run.
            double seconds = (display.nanoTime().getAsLong() - startedAt) / NANOS;
            startUpSeconds = Math.max(0, seconds - latest.report().seconds());
            duplicates = run.counted(DropDuplicatesOperator.DUPLICATES);
            unknownRemovals = run.counted(CountLeftOut.UNKNOWN_REMOVALS);
            takenAway = run.counted(CountLeftOut.TAKEN_AWAY);
            return latest.report();
        }
    }

    /** Shows the passes that place the edges before the first one is emitted. */
    private static void followPasses(EmbeddedRun run, Progress.Display display)
            throws JobFailedException, InterruptedException {
        EmbeddedMetrics metrics = run.metrics();
        try (Progress progress = display.begin("place, step 1 of 2")) {
            boolean isDone = false;
            while (!isDone && !metrics.text(BulkStage.STAGE).orElse("").equals(BulkStage.EMITTING)) {
                isDone = run.await(POLL);
                double placed = metrics.value(BulkStage.PLACED).orElse(0);
                progress.update(
                        (long) metrics.value(BulkStage.EDGES).orElse(0),
                        placed,
                        placed < 1 ? metrics.text(BulkStage.STAGE).orElse("starting") : "");
            }
        }
    }

    /** Returns the time from the start until the tasks ran, in seconds, after the end of the input. */
    double startUpSeconds() {
        return startUpSeconds;
    }

    /** Returns the number of edges that were dropped as duplicates, after the end of the input. */
    long duplicates() {
        return duplicates;
    }

    /** Returns the number of removals of edges that were not there, after the end of the input. */
    long unknownRemovals() {
        return unknownRemovals;
    }

    /** Returns the number of edges that were removed, after the end of the input. */
    long takenAway() {
        return takenAway;
    }

    private @Nullable LiveReport latest(@Nullable LiveReport before) throws IOException {
        Optional<LiveReport> report = LiveReport.read(liveReport);
        return report.isPresent() ? report.get() : before;
    }

    private void show(@Nullable LiveReport latest, Progress progress) {
        if (latest == null) {
            progress.update(0, Double.NaN, "");
        } else {
            Quality quality = latest.report().quality();
            double share =
                    expectedProgress > 0 ? Math.min(1, (double) latest.progress() / expectedProgress) : Double.NaN;
            String note = quality.edges() == 0 ? "pass " + (latest.pass() + 1) : note(quality);
            progress.update(quality.edges(), share, note);
        }
    }

    private static String note(Quality quality) {
        return quality.edgeCutRatio().isPresent()
                ? String.format(
                        Locale.ROOT,
                        "edge cut %.3f, vertex balance %.3f",
                        quality.edgeCutRatio().getAsDouble(),
                        quality.vertexBalance())
                : String.format(
                        Locale.ROOT, "RF %.3f, edge balance %.3f", quality.replicationFactor(), quality.loadBalance());
    }
}
