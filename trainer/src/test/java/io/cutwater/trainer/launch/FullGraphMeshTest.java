package io.cutwater.trainer.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.distributed.TopicWorkforce;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests full-graph training by workers that are threads, and share only topics and direct connections. */
@Timeout(120)
class FullGraphMeshTest {
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final String DESCRIPTION = "a test";
    private static final int EPOCHS = 18;
    private static final int EVERY = 3;
    private static final TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("gcn", 2, 8, 1, Aggregator.MEAN, 0.5),
            new SamplingOptions(Collections.nCopies(2, SamplingOptions.ALL), SamplingOptions.ALL, 1, 1),
            0.01,
            5e-4,
            7,
            "cpu");

    @TempDir
    static Path brokerFolder;

    private static EmbeddedBroker broker;

    @TempDir
    private Path temp;

    private final List<Thread> workers = new ArrayList<>();
    private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
    private int prefix;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws IOException {
        broker.close();
    }

    @AfterEach
    void endWorkers() throws InterruptedException {
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(failures).isEmpty();
    }

    /** A growing graph that has one more cut each time it is asked; the number of shards changes. */
    private final class Cuts implements ShardSource {
        private final GrowingGraph graph = new GrowingGraph(Files.createTempDirectory(temp, "graph"), 3, 5, -4);

        Cuts() throws IOException {}

        @Override
        public ShardCut latest() {
            ShardCut now = graph.latest();
            graph.newest++;
            return now;
        }

        @Override
        public DataShape shape() {
            return graph.shape();
        }

        @Override
        public PartitioningKind kind() {
            return graph.kind();
        }

        @Override
        public ShardStore make(int shard, ShardCut cut, Path folder) throws IOException {
            return graph.make(shard, cut, folder);
        }

        @Override
        public void close() {}
    }

    private static final class Rounds implements RoundListener {
        private final List<String> done = new ArrayList<>();
        private final List<String> told = Collections.synchronizedList(new ArrayList<>());
        private final Map<Integer, Runnable> after = new HashMap<>();

        @Override
        public void roundDone(RoundReport report) {
            done.add("%d shards, loss %s, forward %d and %d, backward %d and %d"
                    .formatted(
                            report.cut().shards(),
                            report.work().loss(),
                            report.traffic().forwardSent(),
                            report.traffic().forwardAvoided(),
                            report.traffic().backwardSent(),
                            report.traffic().backwardAvoided()));
            after.getOrDefault(report.round(), () -> {}).run();
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            told.add(sentence);
        }
    }

    private FullGraphTrainers trainers(ShardSource source, FullGraphOptions how) throws IOException {
        DataShape shape = shape();
        return new FullGraphTrainers(
                new FullGraphStores(source, shape, Files.createTempDirectory(temp, "scratch")),
                shape.features(),
                network(),
                OPTIONS,
                how);
    }

    private DataShape shape() throws IOException {
        return new Cuts().shape();
    }

    private GnnNetwork network() throws IOException {
        return new GnnNetwork(OPTIONS.model(), shape().features(), shape().classes());
    }

    private TrainingResult train(Workforce workforce, Rounds rounds, int merge, Duration wait) throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(
                        EPOCHS, 1, AverageEvery.epochs(EVERY), 1, wait, 0, new RefreshPolicy(merge, false)),
                new Cuts()::latest,
                workforce,
                network().initialWeights(1),
                null,
                rounds)) {
            return training.run();
        }
    }

    private Topics topics() {
        return new Topics("full%d-".formatted(prefix));
    }

    private Thread worker(String name, FullGraphOptions how) {
        ModelChannel channel = ModelChannel.ofWorker(broker.bootstrapServers(), Map.of(), topics());
        Thread thread = new Thread(
                () -> {
                    MeshOptions options = MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of());
                    try (Mesh mesh = new Mesh(name, options, Integer.MAX_VALUE)) {
                        new TopicWorker(channel, name, DESCRIPTION, trainers(new Cuts(), how), 1, mesh).run();
                    } catch (InterruptedException | RuntimeException e) {
                        // the worker was killed
                    } catch (IOException e) {
                        failures.add(e);
                    }
                },
                "worker " + name);
        workers.add(thread);
        thread.start();
        return thread;
    }

    private TopicWorkforce coordinator(Rounds rounds) {
        return new TopicWorkforce(
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics(), TopicWorkforce.SENDER),
                DESCRIPTION,
                SILENCE,
                true,
                rounds.told::add);
    }

    /** A worker is killed and another joins while the graph grows and is partitioned anew. */
    private void disturb(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        String rule =
                List.of("none", "epoch:1", "adaptive:1", "variation:0.05,2").get(random.nextInt(4));
        Staleness parsed = Staleness.of(rule);
        FullGraphOptions how = new FullGraphOptions(
                new Staleness(parsed.kind(), parsed.bound(), parsed.change(), 0),
                RowCoding.values()[random.nextInt(3)],
                random.nextBoolean());
        Rounds alone = new Rounds();
        TrainingResult expected = train(new LocalWorkers(trainers(new Cuts(), how), 1, false), alone, 6, WAIT);
        prefix++;
        Rounds together = new Rounds();
        worker("a", how);
        Thread victim = worker("b", how);
        together.after.put(1 + random.nextInt(3), () -> {
            victim.interrupt(); // its connections close, and its shards have no worker until it times out
            worker("c", how);
        });
        TopicWorkforce workforce = coordinator(together);
        workforce.awaitWorkers(2, WAIT);
        TrainingResult result = train(workforce, together, 6, WAIT);
        assertThat(together.done)
                .as("%s, seed %d", how.words(), seed)
                .isEqualTo(alone.done)
                .hasSize(EPOCHS / EVERY);
        assertThat(result.weights()).isDeepEqualTo(expected.weights());
        assertThat(together.done.get(5)).startsWith("4 shards");
        assertThat(together.told)
                .contains("worker b timed out; its shards go to other workers", "worker c joins")
                .anyMatch(sentence -> sentence.contains("attempt 1: shard ")
                        && sentence.contains("worker b")
                        && sentence.endsWith("; the round begins again"));
    }

    @Test
    void aKilledWorkerAJoinAndNewCutsDoNotChangeTheLosses() throws Exception {
        disturb(1);
    }

    @ParameterizedTest
    @Tag("campaign")
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void noScheduleChangesTheLosses(long seed) throws Exception {
        disturb(seed);
    }
}
