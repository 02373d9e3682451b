package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.connector.output.TopicOutput;
import io.cutwater.flink.job.fault.CrashOnDemand;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.EdgeMultiset;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A live job that grows and shrinks while edges come and go and tasks crash, looked at from outside all the time. */
@Timeout(240)
final class RepartitionIT {
    private static final int K = 3;
    private static final int RESTARTS = 20;
    private static final int EVENTS = 2_000;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}, tables: {1}, assigners: {2}")
    @CsvSource({"vertex, 1, 1", "edge, 3, 2"})
    void noEdgeIsLostOrDuplicatedAtAnyCommit(String kind, int tables, int assigners) throws Exception {
        Scene scene = new Scene(kind, tables, assigners);
        scene.start(tables, null);
        try {
            scene.write(EVENTS);
            scene.awaitAll(); // a job that crashes before its first checkpoint may read the command before the edges
            RepartitionStatus last =
                    scene.repartition("grow", 5, kind.equals("edge") ? PlanState.COLLECTING : PlanState.MOVING);
            assertThat(last.edgesMoved()).isPositive();
            assertThat(last.edges()).isGreaterThan(EVENTS / 4);
            if (kind.equals("edge") || tables > 1) {
                scene.tablesWhenMoving = tables > 1 ? 2 : 0;
                last = scene.repartition("shrink", 2, tables > 1 ? PlanState.PLANNING : PlanState.MOVING);
                assertThat(scene.tablesWhenMoving).isZero();
                assertThat(last.partitionsBefore()).isEqualTo(5);
                assertThat(last.generation()).isEqualTo(2);
            }
            scene.awaitAll();
            RunReport report = new QualityReader(broker.bootstrapServers(), Map.of()).last(scene.topics);
            assertThat(report).isNotNull();
            assertThat(report.quality().partitions()).isEqualTo(last.partitions());
            if (kind.equals("edge")) {
                assertThat(last.after().get("replicationFactor"))
                        .isCloseTo(report.quality().replicationFactor(), Percentage.withPercentage(20));
            }
            assertThat(scene.run().await(Duration.ZERO)).isFalse();
        } finally {
            scene.run().close();
        }
    }

    @Tag("campaign")
    @ParameterizedTest(name = "{0}, tables: {1}, assigners: {2}")
    @CsvSource({"edge, 1, 1", "edge, 3, 1", "vertex, 3, 1", "vertex, 3, 2"})
    void norInOtherJobs(String kind, int tables, int assigners) throws Exception {
        noEdgeIsLostOrDuplicatedAtAnyCommit(kind, tables, assigners);
    }

    /** The topics of a job, and the graph that was written to them. */
    private final class Scene {
        final String name = folder.toString();
        final Topics topics;
        private final SplittableRandom random = new SplittableRandom(23);
        private final Map<String, Integer> graph = new TreeMap<>();
        private final ShardCheck check;
        private final long edgesPerSecond;
        private final String kind;
        private @Nullable EmbeddedRun run;

        /** With how many tables the job goes on from a savepoint when edges are seen to move; 0 for not at all. */
        int tablesWhenMoving;

        private int assigners;

        Scene(String kind, int tables, int assigners) {
            this.kind = kind;
            this.assigners = assigners;
            // Slowly enough to be met while they move; with a vertex move all of its edges.
            edgesPerSecond = kind.equals("edge") ? 500 : 1_000;
            topics = new Topics("%s-%d-%d-moves-".formatted(kind, tables, assigners));
            check = new ShardCheck(broker.bootstrapServers(), Map.of(), topics.shards());
        }

        EmbeddedRun run() {
            return Objects.requireNonNull(run);
        }

        void start(int tables, @Nullable String savepoint) throws Exception {
            PartitionRequest request = LiveRequests.keepingEdges(
                    broker.bootstrapServers(), topics, kind, K, tables, assigners, savepoint != null);
            run = SharedCluster.start(
                    name,
                    env -> {
                        var edges = CrashOnDemand.in(PartitionJob.read(env, request), name);
                        TopicOutput.attach(
                                PartitionJob.define(edges, request),
                                request.output().topics(),
                                request.identity());
                    },
                    new EmbeddedOptions(folder, Duration.ofMillis(500), 64 << 20, RESTARTS),
                    savepoint);
        }

        private void rescale(int tables) throws Exception {
            MiniCluster cluster = SharedCluster.cluster();
            JobID job = cluster.listJobs().get().stream()
                    .filter(each -> !each.getJobState().isGloballyTerminalState())
                    .map(JobStatusMessage::getJobId)
                    .findFirst()
                    .orElseThrow();
            String target = folder.resolve("savepoints").toUri().toString();
            String savepoint = cluster.stopWithSavepoint(job, target, false, SavepointFormatType.CANONICAL)
                    .get();
            run().close();
            assigners += assigners > 1 ? 1 : 0; // one stays one
            start(tables, savepoint);
        }

        /**
         * Follows it to its end.
         *
         * @param crash a task crashes when this phase, or a later one, is seen; in the first one at once
         */
        RepartitionStatus repartition(String id, int partitions, PlanState crash) throws Exception {
            boolean crashes = crash == PlanState.COLLECTING;
            String crashedIn = crashes ? "at once" : "never";
            try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
                plans.send(new JobCommand.Repartition(id, partitions, 1, edgesPerSecond, false));
                if (crashes) {
                    CrashOnDemand.ask(name);
                }
                RepartitionStatus status = null;
                while (status == null || !status.state().isOver()) {
                    write(50);
                    plans.poll();
                    status = plans.status(id);
                    assertNothingLostOrDoubled();
                    if (!crashes
                            && status != null
                            && !status.state().isOver()
                            && status.state().compareTo(crash) >= 0) {
                        crashes = true;
                        crashedIn = "in " + status.state();
                        CrashOnDemand.ask(name);
                    } else if (tablesWhenMoving > 0
                            && status != null
                            && status.state() == PlanState.MOVING
                            && !CrashOnDemand.isPending(name)) {
                        rescale(tablesWhenMoving);
                        tablesWhenMoving = 0;
                    }
                }
                assertThat(status.state()).as(status.reason()).isEqualTo(PlanState.DONE);
                System.out.printf(
                        "%s%s: %d of %d edges moved, crashed %s%n",
                        topics.prefix(), id, status.edgesMoved(), status.edges(), crashedIn);
                return status;
            }
        }

        private void assertNothingLostOrDoubled() {
            ShardCheck.Findings findings = check.readOn();
            assertThat(findings.problem()).isEmpty();
            assertThat(findings.lost()).isZero();
            assertThat(findings.doubled()).isZero();
        }

        void write(int events) {
            AtomicReference<Exception> failure = new AtomicReference<>();
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
                for (int i = 0; i < events; i++) {
                    int community = 40 * random.nextInt(20);
                    long source = community + random.nextInt(40);
                    long target = community + random.nextInt(45);
                    boolean isRemoval = random.nextInt(9) < 3;
                    String edge = source + " " + target;
                    if (isRemoval) {
                        graph.computeIfPresent(edge, (e, copies) -> copies == 1 ? null : copies - 1);
                    } else {
                        graph.merge(edge, 1, Integer::sum);
                    }
                    String event = "{\"op\":\"%s\",\"src\":%d,\"dst\":%d}"
                            .formatted(isRemoval ? "remove" : "add", source, target);
                    producer.send(
                            new ProducerRecord<>(topics.edges(), event.getBytes(StandardCharsets.UTF_8)),
                            (sent, exception) -> failure.compareAndSet(null, exception));
                }
            }
            assertThat(failure.get()).isNull();
        }

        /** Waits until what is committed is the graph. */
        void awaitAll() {
            Optional<String> difference = Optional.of("nothing was read");
            for (int look = 0; look < 60 && difference.isPresent(); look++) {
                write(1); // a crash that is still asked for needs a batch
                assertNothingLostOrDoubled();
                difference = CrashOnDemand.isPending(name) ? difference : check.differenceFrom(expected());
            }
            assertThat(difference).isEmpty();
        }

        private EdgeMultiset expected() {
            EdgeMultiset counts = new EdgeMultiset();
            EdgeBatch edges = new EdgeBatch();
            graph.forEach((edge, copies) -> {
                int blank = edge.indexOf(' ');
                edges.clear();
                edges.add(Long.parseLong(edge.substring(0, blank)), Long.parseLong(edge.substring(blank + 1)));
                counts.change(edges, 0, copies);
            });
            return counts;
        }
    }
}
