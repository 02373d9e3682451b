package io.cutwater.deploy.demo;

import io.cutwater.deploy.cluster.job.JobControl;
import io.cutwater.deploy.demo.GrowingGraph.Grown;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.audit.VertexPartitionAudit;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.replay.ReplayedVertices;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.replay.ShardReplay;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The live job in this process, and its shards as any reader of its topics sees them. */
final class LiveShards implements AutoCloseable {
    private static final long ROCKSDB_BYTES = 128L << 20;
    private static final int RESTARTS = 3;
    private static final Duration POLL = Duration.ofMillis(500);
    /** A commit is due every few seconds; on a busy machine it may be late. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LiveJobOptions options;
    private final QualityReader quality;
    private final EmbeddedRun run;

    /** @param work an empty folder, removed by the caller */
    LiveShards(LiveJobOptions options, Path work) throws IOException {
        this.options = options;
        quality = new QualityReader(options.bootstrapServers(), Map.of());
        run = EmbeddedRun.startLive(options, work, ROCKSDB_BYTES, RESTARTS);
    }

    /**
     * Waits until the given number of edges is in the shards.
     *
     * @param all number of edges at the end
     * @param training whose progress is shown meanwhile
     * @throws IOException if the training fails; the message is meant for users
     */
    void await(long edges, long all, Progress progress, @Nullable DemoTraining training)
            throws IOException, JobFailedException, InterruptedException {
        RunReport report = report();
        while (report == null || report.quality().edges() < edges) {
            requireRunning();
            if (training != null) {
                training.requireWell();
            }
            report = report();
            if (report != null) {
                long done = report.quality().edges();
                String learned = training == null ? "" : training.note();
                progress.update(done, (double) done / all, join(words(report), learned));
            }
        }
    }

    private static String join(String first, String second) {
        return second.isEmpty() ? first : first + "; " + second;
    }

    private static String words(RunReport report) {
        Quality quality = report.quality();
        return String.format(
                Locale.ROOT,
                "edge cut %.3f, vertex balance %.3f",
                quality.edgeCutRatio().orElseThrow(),
                quality.vertexBalance());
    }

    /** Waits a moment, and checks that the job runs. */
    void requireRunning() throws JobFailedException, InterruptedException {
        if (run.await(POLL)) {
            throw new IllegalStateException("the live job has ended unexpectedly");
        }
    }

    /** Returns the report that the job has committed last; null before its first commit. */
    private @Nullable RunReport report() {
        return quality.last(options.topics());
    }

    /**
     * Re-partitions the job.
     *
     * @param partitions the new number
     * @throws IOException if the job refuses or fails; the message is meant for users
     */
    RepartitionStatus repartition(int partitions, Progress progress, DemoTraining training) throws IOException {
        JobCommand.Repartition command = new JobCommand.Repartition("demo", partitions, 1, Long.MAX_VALUE, false);
        try (JobControl control =
                new JobControl(options.bootstrapServers(), Map.of(), options.topics(), PATIENCE, System::nanoTime)) {
            RepartitionStatus end = control.repartition(
                    command,
                    status -> progress.update(
                            status.edgesMoved(),
                            status.edgesToMove() == 0
                                    ? Double.NaN
                                    : (double) status.edgesMoved() / status.edgesToMove(),
                            join(status.state().label(), training.note())));
            if (end.state() != PlanState.DONE) {
                throw new IOException(
                        "the re-partitioning is %s: %s".formatted(end.state().label(), end.reason()));
            }
            return end;
        }
    }

    /**
     * Reads the shards back and recounts them until everything that was written is committed.
     *
     * @return the job's last report
     * @throws IOException if edges or data are missing or surplus after a while; the message is meant for users
     */
    RunReport check(Grown grown, LabelledGraph graph, int partitions)
            throws IOException, JobFailedException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            RunReport told = report();
            Optional<String> problem = problem(grown, graph, partitions, told);
            if (problem.isEmpty() && told != null) {
                return told;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(problem.orElse("the job has reported nothing"));
            }
            requireRunning();
        }
    }

    private Optional<String> problem(Grown grown, LabelledGraph graph, int partitions, @Nullable RunReport told) {
        if (told == null || told.quality().partitions() != partitions) {
            return Optional.of("the job does not report %d partitions".formatted(partitions));
        }
        String topic = options.topics().shards();
        VertexPartitionAudit recount = new VertexPartitionAudit(partitions);
        String[] wrong = new String[1];
        new ShardReader(options.bootstrapServers(), Map.of(), topic).readAll(shard -> {
            if (shard.shard() >= partitions && shard.edges().copies() > 0) {
                wrong[0] = "shard %d was removed, but has edges".formatted(shard.shard());
            } else if (shard.shard() < partitions) {
                shard.edges().forEach(edges -> recount.add(shard.shard(), edges));
                wrong[0] = wrong[0] == null ? wrongData(shard, graph) : wrong[0];
            }
        });
        Optional<String> problem = Optional.ofNullable(wrong[0]).or(recount::firstDifference);
        if (problem.isPresent()) {
            return problem;
        }
        if (!recount.fingerprint().equals(grown.fingerprint())) {
            return Optional.of("topic %s has %d edges, which are not the %d of the graph"
                    .formatted(
                            topic,
                            recount.fingerprint().edges(),
                            grown.fingerprint().edges()));
        }
        return recount.report(told.quality().deadLetters()).equals(told.quality())
                ? Optional.empty()
                : Optional.of("the job reports another quality than the edges on topic %s have".formatted(topic));
    }

    /** Returns the first vertex of a shard with wrong data; null if there is none. */
    private static @Nullable String wrongData(ShardReplay shard, LabelledGraph graph) {
        float[] features = new float[LabelledGraph.FEATURES];
        ReplayedVertices vertices = shard.vertices();
        for (int i = 0; i < vertices.size(); i++) {
            long vertex = vertices.vertex(i);
            graph.features(vertex, features);
            boolean isTrue = shard.data(vertex)
                    .filter(data -> data.label() == graph.label(vertex)
                            && Arrays.equals(data.features().toArray(), features))
                    .isPresent();
            if (!isTrue) {
                return "shard %d does not have the features of vertex %d".formatted(shard.shard(), vertex);
            }
        }
        return null;
    }

    @Override
    public void close() {
        run.close();
    }
}
