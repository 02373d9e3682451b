package io.cutwater.deploy.bench;

import io.cutwater.deploy.input.FileIngest;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.ControlOptions;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.topology.JobOutput;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Measures the rate of the stream while a live job grows to half as many partitions again, compared with the seconds
 * before. Broker and job share the process, and so its cores.
 */
final class MoveBench {
    private static final long CACHE_BYTES = 256L << 20;
    private static final Duration BEFORE = Duration.ofSeconds(5);
    private static final double NANOS = 1e9;

    private MoveBench() {}

    static void run(String graph, PartitionerOptions partitioner, PrintStream out) throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create();
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.path().resolve("kafka"))) {
            Topics topics = new Topics("");
            String servers = broker.bootstrapServers();
            Path file = BenchGraph.file(graph, temporary.path());
            FileIngest.run(
                    new InputRequest.Files(List.of(file), null),
                    new InputRequest.Topic(servers, topics, topics.edges(), EdgeEventFormat.BATCH),
                    0,
                    new Progress.Display(ProgressStyle.OFF, 0, new PrintWriter(Writer.nullWriter()), System::nanoTime));
            // The name of a generated graph contains its number of edges.
            long edges;
            try (TopicAdmin admin = TopicAdmin.connect(servers, Map.of())) {
                admin.ensure(topics.outputs(partitioner.partitionCount()));
                admin.ensure(topics.control());
                edges = Long.parseLong(graph.substring(graph.lastIndexOf(':') + 1));
            }
            PartitionRequest request = new PartitionRequest(
                    new EdgeInput.LiveTopic(
                            servers,
                            topics.edges(),
                            new RecordFormat.Own(EdgeEventFormat.BATCH),
                            Map.of(),
                            true,
                            false,
                            null,
                            Map.of(),
                            RestoreRule.STRICT,
                            1),
                    AssignOptions.of(partitioner, CACHE_BYTES, Duration.ofSeconds(10), true),
                    null,
                    new JobOutput(
                            null,
                            new TopicOutputOptions(
                                    servers,
                                    "",
                                    "bench",
                                    Duration.ofMinutes(5),
                                    Map.of(),
                                    false,
                                    new ControlOptions(Map.of(0, 0L), 0),
                                    RestoreRule.STRICT,
                                    LostRecords.REPLAY,
                                    null),
                            null));
            EmbeddedOptions options =
                    new EmbeddedOptions(temporary.path(), Duration.ofSeconds(2), MeasuredJob.Work.ROCKSDB_BYTES, 0);
            try (EmbeddedRun run = EmbeddedRun.start(request, options)) {
                measure(new PlanTopics(servers, Map.of(), topics), run, partitioner.partitionCount(), edges, out);
            }
        }
    }

    private static void measure(PlanTopics plans, EmbeddedRun run, int partitions, long all, PrintStream out) {
        await(() -> placed(run) > all / 5.0);
        double before = rate(run);
        plans.send(new JobCommand.Repartition("bench", partitions * 3 / 2, 1, Long.MAX_VALUE, false));
        RepartitionStatus[] last = new RepartitionStatus[1];
        while (last[0] == null) {
            plans.poll();
            last[0] = plans.status("bench");
        }
        long start = System.nanoTime();
        double from = placed(run);
        double most = all * 0.99; // then nothing is left to stream
        await(() -> {
            plans.poll();
            last[0] = plans.status("bench");
            return last[0].state().isOver() || placed(run) >= most;
        });
        double reached = placed(run);
        double seconds = (System.nanoTime() - start) / NANOS;
        out.printf(
                "%n%,d edges of %,d placed when it began; before: %,.0f edges/s; until the stream or the moves were over"
                        + " (%.1f s): %,.0f edges/s, %.2f of before%n%s%n",
                (long) from,
                all,
                before,
                seconds,
                (reached - from) / seconds,
                (reached - from) / seconds / before,
                last[0]);
    }

    private static double rate(EmbeddedRun run) {
        double from = placed(run);
        long start = System.nanoTime();
        await(() -> System.nanoTime() - start > BEFORE.toNanos());
        return (placed(run) - from) / ((System.nanoTime() - start) / NANOS);
    }

    private static double placed(EmbeddedRun run) {
        return run.metrics().value("edges").orElse(0);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(20_000_000);
        }
    }
}
