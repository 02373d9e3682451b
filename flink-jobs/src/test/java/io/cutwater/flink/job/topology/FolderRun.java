package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.FolderOutput;
import io.cutwater.flink.connector.output.PartitionStreams;
import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.report.LiveReport;
import io.cutwater.flink.connector.report.LiveReportSink;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.SharedCluster;
import io.cutwater.flink.job.fault.CrashOnce;
import io.cutwater.flink.operator.CountLeftOut;
import io.cutwater.flink.operator.DropDuplicatesOperator;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.jspecify.annotations.Nullable;

/**
 * A run of the job into a folder that is completed and read back, with or without a crash.
 *
 * @param duplicates edges that were dropped as such
 * @param unknownRemovals removals of the input that found no edge
 * @param takenAway edges of the input that a removal found
 */
record FolderRun(ShardFolder output, LiveReport report, long duplicates, long unknownRemovals, long takenAway) {
    static final int NO_CRASH = -1;

    private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /**
     * Runs an edge partitioning.
     *
     * @param crashAt batch before which the task fails once, or {@link #NO_CRASH}
     */
    static FolderRun of(
            Path folder,
            EdgeInput input,
            PartitionerOptions options,
            long cacheBytes,
            @Nullable TopicOutputOptions topics,
            int crashAt)
            throws Exception {
        return of(folder, input, options, cacheBytes, topics, crashAt, null, PartitionJob::define);
    }

    static FolderRun of(
            Path folder,
            EdgeInput input,
            PartitionerOptions options,
            long cacheBytes,
            @Nullable TopicOutputOptions topics,
            int crashAt,
            @Nullable DistributedOptions distributed,
            BiFunction<DataStream<EdgeBatch>, PartitionRequest, PartitionStreams> topology)
            throws Exception {
        return of(
                folder,
                (staging, live) -> new PartitionRequest(
                        input,
                        AssignOptions.of(options, cacheBytes, Duration.ZERO, false),
                        distributed,
                        new JobOutput(staging, topics, live)),
                crashAt,
                topology);
    }

    /** @param asked creates the request from the staging folder and the file of the live report */
    private static FolderRun of(
            Path folder,
            BiFunction<Path, Path, PartitionRequest> asked,
            int crashAt,
            BiFunction<DataStream<EdgeBatch>, PartitionRequest, PartitionStreams> topology)
            throws Exception {
        Path work = Files.createDirectories(folder.resolve("work"));
        Path live = work.resolve("live.json");
        String name = folder.toString();
        long duplicates;
        long unknownRemovals;
        long takenAway;
        try (OutputFolder output = OutputFolder.open(folder.resolve("out"), false)) {
            PartitionRequest request = asked.apply(output.staging(), live);
            EmbeddedOptions embedded =
                    new EmbeddedOptions(work, CHECKPOINT_INTERVAL, 64 << 20, crashAt == NO_CRASH ? 0 : 1);
            try (EmbeddedRun run = SharedCluster.start(
                    name,
                    env -> {
                        DataStream<EdgeBatch> edges = PartitionJob.read(env, request);
                        edges = crashAt == NO_CRASH ? edges : CrashOnce.in(edges, name, crashAt);
                        attach(topology.apply(edges, request), request);
                    },
                    embedded)) {
                assertThat(run.await(TIMEOUT)).isTrue();
                duplicates = run.counted(DropDuplicatesOperator.DUPLICATES);
                unknownRemovals = run.counted(CountLeftOut.UNKNOWN_REMOVALS);
                takenAway = run.counted(CountLeftOut.TAKEN_AWAY);
            }
            assertThat(crashAt == NO_CRASH || CrashOnce.hasCrashed(name)).isTrue();
            complete(output, request.assigner().partitioner());
        }
        return new FolderRun(
                ShardFolder.open(folder.resolve("out")),
                LiveReport.read(live).orElseThrow(),
                duplicates,
                unknownRemovals,
                takenAway);
    }

    private static void attach(PartitionStreams streams, PartitionRequest request) {
        FolderOutput.attach(
                streams,
                request.output().staging(),
                request.assigner().partitioner().partitionCount());
        LiveReportSink.attach(streams.quality(), request.output().liveReport(), request.identity());
        if (request.output().topics() != null) {
            TopicOutput.attach(streams, request.output().topics(), request.identity());
        }
    }

    private static void complete(OutputFolder output, PartitionerOptions options) throws IOException {
        RunDescription description = new RunDescription(
                "test", options.algorithm(), options.settings(), options.seed(), options.partitionCount(), List.of());
        output.complete(options.kind(), description, TableFormat.CSV, 0, () -> new byte[0]);
    }

    /** Returns the edges of each shard, in their order. */
    List<List<String>> shards() throws IOException {
        List<List<String>> shards = new ArrayList<>();
        for (int shard = 0; shard < output.shardCount(); shard++) {
            shards.add(new ArrayList<>());
        }
        output.readEdges((shard, batch) -> {
            for (int i = 0; i < batch.size(); i++) {
                shards.get(shard).add(PlainLoop.edge(batch, i));
            }
        });
        return shards;
    }

    /** Returns owner and replicas by vertex. */
    Map<Long, String> book() throws Exception {
        Map<Long, String> book = new TreeMap<>();
        output.readBook((vertex, partition, replicas, count) ->
                book.put(vertex, partition + " " + Arrays.toString(Arrays.copyOf(replicas, count))));
        return book;
    }

    /** Returns the SHA-256 of every file of shards and book. */
    SortedMap<String, String> hashes() {
        SortedMap<String, String> hashes = new TreeMap<>(output.manifest().files());
        hashes.remove("dead-letters.csv"); // holds the path of the input
        return hashes;
    }
}
