package io.cutwater.trainer.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.distributed.TopicWorker;
import io.cutwater.trainer.distributed.TopicWorkforce;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.training.ShardTrainers;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests trainings that need all shards at the same time, by workers that are threads, and share only topics and direct
 * connections.
 */
@Timeout(120)
class SharedTrainingFaultsTest {
    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final String DESCRIPTION = "a test";

    @TempDir
    static Path brokerFolder;

    private static EmbeddedBroker broker;

    @TempDir
    private Path temp;

    private final List<Thread> workers = new ArrayList<>();
    private final List<Mesh> coordinators = new ArrayList<>();
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
        coordinators.forEach(Mesh::close);
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(failures).isEmpty();
    }

    /** Returns a growing graph that has one more cut each time it is asked; the number of shards changes. */
    private GrowingGraph cuts(SharedMode mode) throws IOException {
        Path folder = Files.createTempDirectory(temp, "graph");
        GrowingGraph graph = mode.embeddings() == 0
                ? new GrowingGraph(folder, 3, 5, -4)
                : GrowingGraph.withoutFeatures(folder, 3, 5, -4);
        return graph.growingWhenAsked();
    }

    private static final class Rounds implements RoundListener {
        private final List<String> done = new ArrayList<>();
        private final List<String> told = Collections.synchronizedList(new ArrayList<>());
        private final Map<Integer, Runnable> after = new HashMap<>();
        private final boolean comparesBytes;
        private long mapped;

        Rounds(SharedMode mode) {
            comparesBytes = mode instanceof SharedMode.FullGraph; // otherwise rows are sent again to new caches
        }

        @Override
        public void roundDone(RoundReport report) {
            done.add("%d shards, loss %s, forward %s and %s, backward %s and %s, %s"
                    .formatted(
                            report.cut().shards(),
                            report.work().loss(),
                            comparesBytes ? report.traffic().forwardSent() : "-",
                            comparesBytes ? report.traffic().forwardAvoided() : "-",
                            comparesBytes ? report.traffic().backwardSent() : "-",
                            comparesBytes ? report.traffic().backwardAvoided() : "-",
                            report.locality()));
            mapped += report.traffic().mapped();
            after.getOrDefault(report.round(), () -> {}).run();
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            told.add(sentence);
        }
    }

    private ShardTrainers trainers(SharedMode mode) throws IOException {
        return mode.trainers(cuts(mode), shape(mode), Files.createTempDirectory(temp, "scratch"));
    }

    private DataShape shape(SharedMode mode) throws IOException {
        DataShape found = cuts(mode).shape();
        return mode.embeddings() == 0 ? found : new DataShape(mode.embeddings(), found.classes());
    }

    private ModelState initial(SharedMode mode) throws IOException {
        ModelState model = ModelState.initial(mode.network(shape(mode)).initialWeights(1));
        return mode.embeddings() == 0 ? model : model.with(EmbeddingRows.none(1, mode.embeddings()));
    }

    private TrainingResult train(
            SharedMode mode, Workforce workforce, Rounds rounds, int epochs, int merge, Duration wait)
            throws Exception {
        return train(mode, workforce, rounds, epochs, merge, wait, null);
    }

    private TrainingResult train(
            SharedMode mode,
            Workforce workforce,
            Rounds rounds,
            int epochs,
            int merge,
            Duration wait,
            @Nullable Path out)
            throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(epochs, 1, mode.averageEvery(), 1, wait, 0, new RefreshPolicy(merge, false)),
                cuts(mode)::latest,
                workforce,
                initial(mode),
                out == null ? null : new CheckpointFile(out),
                rounds)) {
            training.resume();
            return training.run();
        }
    }

    private Topics topics() {
        return new Topics("full%d-".formatted(prefix));
    }

    private Thread worker(String name, SharedMode mode) {
        return start(name, () -> trainers(mode), 1);
    }

    private Thread sampler(String name) {
        SharedMode mode = new SharedMode.Sampled();
        return start(
                name,
                () -> SharedMode.Sampled.samplers(cuts(mode), shape(mode), Files.createTempDirectory(temp, "scratch")),
                0);
    }

    private interface Opener {
        ShardTrainers open() throws IOException;
    }

    private Thread start(String name, Opener trainers, int threads) {
        ModelChannel channel = ModelChannel.ofWorker(broker.bootstrapServers(), Map.of(), topics());
        Thread thread = new Thread(
                () -> {
                    MeshOptions options = MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of());
                    try (Mesh mesh = new Mesh(name, options, Integer.MAX_VALUE)) {
                        new TopicWorker(channel, name, DESCRIPTION, trainers.open(), threads, mesh).run();
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

    private TopicWorkforce coordinator(Rounds rounds) throws IOException {
        return coordinator(rounds, 0);
    }

    private TopicWorkforce coordinator(Rounds rounds, int samplers) throws IOException {
        MeshOptions options = MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of());
        Mesh models = new Mesh("coordinator-1", options, Integer.MAX_VALUE);
        coordinators.add(models);
        return new TopicWorkforce(
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics(), TopicWorkforce.SENDER),
                DESCRIPTION,
                SILENCE,
                true,
                samplers,
                rounds.told::add,
                models);
    }

    /** A worker is killed and another joins while the graph grows and is partitioned anew. */
    private void disturb(SharedMode mode, SplittableRandom random) throws Exception {
        boolean isSync = mode instanceof SharedMode.Sync;
        int epochs = isSync ? 12 : 18; // two merges, between rounds of 1 epoch or 3
        int merge = epochs / 3;
        Rounds alone = new Rounds(mode);
        TrainingResult expected = train(mode, new LocalWorkers(trainers(mode), 1, isSync), alone, epochs, merge, WAIT);
        prefix++;
        Rounds together = new Rounds(mode);
        worker("a", mode);
        Thread victim = worker("b", mode);
        together.after.put(1 + random.nextInt(3), () -> {
            victim.interrupt(); // its connections close, and its shards have no worker until it times out
            worker("c", mode);
        });
        TopicWorkforce workforce = coordinator(together);
        workforce.awaitWorkers(2, WAIT);
        TrainingResult result = train(mode, workforce, together, epochs, merge, WAIT);
        assertThat(together.done).as(mode.toString()).isEqualTo(alone.done);
        assertThat(result.weights()).isDeepEqualTo(expected.weights());
        assertThat(alone.mapped).isZero();
        assertThat(together.mapped > 0).as("read in files of others").isEqualTo(isSync);
        assertThat(together.done.get(together.done.size() - 1)).startsWith("4 shards");
        assertThat(together.told)
                .contains("worker b timed out; its shards go to other workers", "worker c joins")
                .anyMatch(sentence -> sentence.contains("attempt 1: shard ")
                        && sentence.contains("worker b")
                        && sentence.endsWith("; the round begins again"));
    }

    @Test
    void aKilledWorkerAJoinAndNewCutsDoNotChangeTheLosses() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        disturb(SharedMode.fullGraph(random), random);
    }

    @Test
    void embeddingsOfAKilledWorkersShardsAreTheSame() throws Exception {
        disturb(new SharedMode.Sync(6), new SplittableRandom(2));
    }

    @Test
    void embeddingsAreRestoredOntoAnotherNumberOfWorkers() throws Exception {
        SharedMode mode = new SharedMode.Sync(6);
        Rounds alone = new Rounds(mode);
        TrainingResult expected = train(mode, new LocalWorkers(trainers(mode), 1, true), alone, 4, 0, WAIT);
        Path out = Files.createTempDirectory(temp, "out");
        List<String> done = new ArrayList<>();
        TrainingResult last = expected;
        for (int workersInAll = 1; workersInAll <= 3; workersInAll += 2) {
            prefix++;
            for (int worker = 0; worker < workersInAll; worker++) {
                worker("w" + worker, mode);
            }
            Rounds together = new Rounds(mode);
            TopicWorkforce workforce = coordinator(together);
            workforce.awaitWorkers(workersInAll, WAIT);
            last = train(mode, workforce, together, 1 + workersInAll, 0, WAIT, out);
            done.addAll(together.done);
        }
        assertThat(done).isEqualTo(alone.done).hasSize(4);
        assertThat(last.weights()).isDeepEqualTo(expected.weights());
    }

    /** Starts a worker that cannot build shard 1. */
    private void unableWorker(String name, SharedMode mode) {
        start(
                name,
                () -> {
                    ShardTrainers trainers = trainers(mode);
                    return (shard, cut) -> {
                        if (shard == 1) {
                            ShardBuilder.refuse(shard, 5, 7);
                        }
                        return trainers.open(shard, cut);
                    };
                },
                1);
    }

    @Test
    void aShardWithoutFeaturesGoesToAnotherWorkerOrEndsTheTraining() throws Exception {
        SharedMode mode = new SharedMode.Sync(0);
        Rounds alone = new Rounds(mode);
        train(mode, new LocalWorkers(trainers(mode), 1, true), alone, 2, 0, WAIT);
        prefix++;
        unableWorker("a", mode);
        unableWorker("b", mode);
        worker("c", mode);
        Rounds together = new Rounds(mode);
        TopicWorkforce workforce = coordinator(together);
        workforce.awaitWorkers(3, WAIT);
        train(mode, workforce, together, 2, 0, WAIT);
        assertThat(together.done).isEqualTo(alone.done);
        prefix++;
        unableWorker("a", mode);
        unableWorker("b", mode);
        TopicWorkforce without = coordinator(together);
        without.awaitWorkers(2, WAIT);
        assertThatThrownBy(() -> train(mode, without, together, 2, 0, WAIT))
                .hasMessageMatching("no worker can build shard 1: shard 1 has 5 vertices without features, such as "
                        + "vertex 7; give a row for each .*--allow-missing-features.*");
    }

    @Test
    void aKilledSamplersShardsGoToAnother() throws Exception {
        SharedMode own = new SharedMode.Sync(0);
        Rounds alone = new Rounds(own);
        train(own, new LocalWorkers(trainers(own), 1, true), alone, 4, 2, WAIT);
        prefix++;
        SharedMode sampled = new SharedMode.Sampled();
        Rounds together = new Rounds(sampled);
        worker("a", sampled);
        worker("b", sampled);
        Thread victim = sampler("s");
        sampler("t");
        together.after.put(1, victim::interrupt);
        TopicWorkforce workforce = coordinator(together, 2);
        workforce.awaitWorkers(2, WAIT);
        train(sampled, workforce, together, 4, 2, WAIT);
        assertThat(together.done).hasSize(4).isEqualTo(alone.done);
        assertThat(together.mapped).as("read in files of others").isPositive();
        assertThat(together.told)
                .contains("sampler s joins", "sampler s timed out; its shards go to other samplers")
                .anyMatch(sentence -> sentence.contains("attempt 1: shard ")
                        && sentence.contains(" s ")
                        && sentence.endsWith("; the round begins again"));
    }

    @Test
    @Tag("campaign")
    void withoutASamplerTheTrainingEndsInAnErrorThatNamesIt() throws Exception {
        SharedMode sampled = new SharedMode.Sampled();
        Rounds together = new Rounds(sampled);
        worker("a", sampled);
        Thread victim = sampler("s");
        together.after.put(1, victim::interrupt);
        TopicWorkforce workforce = coordinator(together, 1);
        workforce.awaitWorkers(1, WAIT);
        assertThatThrownBy(() -> train(sampled, workforce, together, 4, 2, Duration.ofSeconds(20)))
                .hasMessageContaining("round 2 needs all shards at the same time")
                .hasMessageMatching(
                        ".*(worker s at 127\\.0\\.0\\.1:|sampler s timed out).*no sampler was left; start.*");
    }

    @ParameterizedTest
    @Tag("campaign")
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void noScheduleChangesTheLosses(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        disturb(SharedMode.fullGraph(random), random);
        disturb(new SharedMode.Sync(random.nextBoolean() ? 0 : 5), random);
    }
}
