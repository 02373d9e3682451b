package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.CrashingLoop;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Live jobs that are stopped with savepoints and resumed with other numbers of tasks. */
final class RescaledJobIT {
    private static final int K = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The time in which as many edges as there are would move while a job is stopped; a quarter or more of them do. */
    private static final long MOVING_SECONDS = 15;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    /**
     * @param stages of each run of the job, vertex tables and assigners, or {@code fused}, with the number of
     *     partitions that it is re-partitioned to behind a colon; with an exclamation mark it is stopped amid that, and
     *     the next run goes on with it; with an x before it, the run crashes while it begins
     */
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "edge, cutwater --buffer-size 3000 --set solo=500 --keep-edges, fused:7! 2/1:4! 1/3:6! fused",
        "vertex, cutwater --keep-edges --remove-vertices, 2/2 fused x3/1",
    })
    void shardsBookAndReportEqualTheNetGraphInEveryRun(String kind, String algorithm, String stages) throws Exception {
        Topics topics = new Topics(kind + algorithm.length() + "-");
        NetGraph net = new NetGraph(
                broker.bootstrapServers(),
                topics,
                3,
                algorithm.contains("--keep-edges"),
                algorithm.contains("--remove-vertices"));
        ShardCheck check = new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards());
        String savepoint = null;
        int[] partitions = {K};
        boolean bootstraps = algorithm.contains("--bootstrap");
        if (bootstraps) {
            try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
                admin.ensure(topics.spec(topics.edges(), 1));
            }
            net.write(); // the history
        }
        int running = 0; // partitions that a running re-partitioning is to reach
        for (String stage : stages.split(" ")) {
            String arguments =
                    "--bootstrap-servers %s --topic-prefix %s --partitions %d --event-format json --kind %s --algorithm %s"
                            .formatted(broker.bootstrapServers(), topics.prefix(), K, kind, algorithm);
            boolean crashes = stage.startsWith("x");
            String spread = stage.startsWith("fused")
                    ? ""
                    : " --topology distributed --parallelism "
                            + stage.replaceAll("x|:.*", "").replace("/", " --assigners ")
                            + (bootstraps ? " --bootstrap-tasks 2" : "");
            JobClient job = start(
                    (arguments + spread + " --wait-limit 300ms --checkpoint-interval 500ms")
                            .replaceAll("--keep-edges|--remove-vertices", "$0 true"),
                    savepoint,
                    crashes);
            net.write();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(300)).until(() -> {
                if (job.getJobStatus().get().isGloballyTerminalState()) {
                    job.getJobExecutionResult().get(); // throws what it has failed with
                }
                assertThat(check.readOn().problem()).isEmpty();
                return NetGraph.shards(broker.bootstrapServers(), topics, partitions[0])
                        .graph()
                        .equals(net.graph);
            });
            if (crashes) {
                assertThat(CrashingLoop.attempts()).isGreaterThanOrEqualTo(CrashingLoop.CRASHES);
            }
            if (running > 0) {
                awaitEnd(topics, running);
                partitions[0] = running;
                running = 0;
            }
            int wanted = stage.contains(":") ? Integer.parseInt(stage.replaceAll(".*:|!", "")) : partitions[0];
            if (stage.endsWith("!")) {
                begin(topics, wanted, net.edges() / MOVING_SECONDS);
                running = wanted;
                partitions[0] = Math.max(wanted, partitions[0]);
            } else {
                if (wanted != partitions[0]) {
                    begin(topics, wanted, Long.MAX_VALUE);
                    awaitEnd(topics, wanted);
                    partitions[0] = wanted;
                }
                await(stage)
                        .atMost(PATIENCE)
                        .untilAsserted(() -> net.assertBookAndReport(
                                partitions[0], PartitioningKind.valueOf(kind.toUpperCase(Locale.ROOT))));
            }
            net.write(); // some of it is in the savepoint as updates that no table has
            if (running > 0) {
                awaitStatus(topics, running, status -> status.state() == PlanState.MOVING);
            }
            savepoint = job.stopWithSavepoint(
                            false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                    .get(60, TimeUnit.SECONDS);
            job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
            assertThat(running > 0
                            && awaitStatus(topics, running, status -> true)
                                    .state()
                                    .isOver())
                    .isFalse();
        }
    }

    @Tag("campaign")
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "edge, sigma-edge --set solo=500, fused 2/3 fused",
        "edge, cutwater --buffer-size 3000 --keep-edges --remove-vertices, fused x2/2:7! fused:4 1/3",
        "vertex, cutwater --set solo=500 --bootstrap 0:0-6000, 2/2 fused",
        "vertex, cutwater --buffer-size 3000 --set solo=500 --keep-edges, fused:6! 2/3:7! 3/1 1/2:5! fused:4",
    })
    void equalItInOtherJobsToo(String kind, String algorithm, String stages) throws Exception {
        shardsBookAndReportEqualTheNetGraphInEveryRun(kind, algorithm, stages);
    }

    private static void begin(Topics topics, int partitions, long edgesPerSecond) throws Exception {
        try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
            assertThat(plans.status(id(partitions)))
                    .as("a job executes each id once")
                    .isNull();
            plans.send(new JobCommand.Repartition(id(partitions), partitions, 1, edgesPerSecond, false));
        }
    }

    private static void awaitEnd(Topics topics, int partitions) throws Exception {
        assertThat(awaitStatus(topics, partitions, status -> status.state().isOver()))
                .returns(PlanState.DONE, RepartitionStatus::state)
                .returns(partitions, RepartitionStatus::partitions);
    }

    private static RepartitionStatus awaitStatus(Topics topics, int partitions, Predicate<RepartitionStatus> isReached)
            throws Exception {
        try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
            return await().atMost(PATIENCE)
                    .until(
                            () -> {
                                plans.poll();
                                return plans.status(id(partitions));
                            },
                            status -> status != null && isReached.test(status));
        }
    }

    private static String id(int partitions) {
        return "to-" + partitions;
    }

    private JobClient start(String arguments, @Nullable String savepoint, boolean crashes) throws Exception {
        PartitionRequest request = LiveRequests.of(LiveJobOptions.parse(arguments.split(" ")), savepoint != null);
        int restarts = crashes ? CrashingLoop.CRASHES : 0;
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(
                EmbeddedRun.configuration(new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, restarts)));
        env.setParallelism(1);
        if (crashes) {
            CrashingLoop.build(env, request);
        } else {
            PartitionJob.build(env, request);
        }
        return SharedCluster.submit(env, savepoint);
    }
}
