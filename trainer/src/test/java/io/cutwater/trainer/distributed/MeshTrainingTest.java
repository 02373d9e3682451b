package io.cutwater.trainer.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests rounds of shared steps by workers that are threads, and share only topics and direct connections. */
@Timeout(120)
class MeshTrainingTest {
    private static final int SHARDS = 3;
    private static final int CLASSES = 4;
    private static final int EPOCHS = 4;
    private static final String DESCRIPTION = "a test";
    private static final Duration SILENCE = Duration.ofSeconds(3);
    private static final TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(4, 4), 10, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");

    @TempDir
    Path temp;

    private final Topics topics = new Topics("");
    private final RandomGraph graph = new RandomGraph(1, 200, 1200, 20, CLASSES, 0.3);
    private final GnnNetwork network = new GnnNetwork(OPTIONS.model(), graph.columns, CLASSES);
    private final List<Thread> workers = new ArrayList<>();
    private final List<Double> losses = Collections.synchronizedList(new ArrayList<>());
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private Runnable afterRound2 = () -> {};
    private ShardStore[] stores;
    private EmbeddedBroker broker;

    @BeforeEach
    void startBroker() throws IOException {
        stores = graph.shards(temp, SHARDS);
        broker = EmbeddedBroker.start(Files.createDirectory(temp.resolve("broker")));
    }

    @AfterEach
    void stop() throws Exception {
        for (Thread worker : workers) {
            worker.interrupt();
            worker.join();
        }
        broker.close();
    }

    @Test
    void theModelIsThatOfOneProcessAndAKilledWorkersShardsGoToOthers() throws Exception {
        TrainingResult alone = alone();
        List<Double> expected = List.copyOf(losses);
        losses.clear();
        worker("a", true);
        Thread victim = worker("b", true);
        afterRound2 = () -> {
            victim.interrupt(); // its connections close, and its shards have no worker until it times out
            worker("c", true);
        };
        TrainingResult result = coordinate(2, Duration.ofMinutes(1));
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(losses).isEqualTo(expected).hasSize(EPOCHS);
        assertThat(told)
                .contains("worker c joins", "worker b timed out; its shards go to other workers")
                .anyMatch(sentence -> sentence.startsWith("round 3, attempt 1: shard ")
                        && sentence.contains("worker b")
                        && sentence.endsWith("; the round begins again"));
        assertThat(result.bytesAveraged()).isGreaterThan(alone.bytesAveraged());
    }

    @Test
    void aWorkerWithoutAnAddressTakesNoPart() throws Exception {
        worker("a", false);
        assertThatThrownBy(() -> coordinate(1, Duration.ofSeconds(2)))
                .hasMessageContaining("round 1: --average-every gradients needs every shard")
                .hasMessageContaining("start workers with --transport mesh");
    }

    private Thread worker(String name, boolean hasMesh) {
        ModelChannel channel = ModelChannel.ofWorker(broker.bootstrapServers(), Map.of(), topics);
        Thread thread = new Thread(
                () -> {
                    MeshOptions options = MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of());
                    try (Mesh mesh = hasMesh ? new Mesh(name, options, 10_000) : null) {
                        new TopicWorker(channel, name, DESCRIPTION, this::trainer, 1, mesh).run();
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        // the worker was killed
                    }
                },
                "worker " + name);
        workers.add(thread);
        thread.start();
        return thread;
    }

    private ShardTrainer trainer(int shard, ShardCut cut) throws IOException {
        return new LocalTrainer(stores[shard], network, OPTIONS, Files.createTempDirectory(temp, "between"));
    }

    private TrainingResult alone() throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(EPOCHS, AverageEvery.gradients(), 1, Duration.ofMinutes(1), 0),
                CutSource.fixed(SHARDS),
                this::trainer,
                network.initialWeights(5),
                null,
                listener())) {
            return training.run();
        }
    }

    private TrainingResult coordinate(int count, Duration roundWait) throws Exception {
        ModelChannel channel =
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics, TopicWorkforce.SENDER);
        TopicWorkforce workforce = new TopicWorkforce(channel, DESCRIPTION, SILENCE, told::add);
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(EPOCHS, AverageEvery.gradients(), count, roundWait, 0),
                CutSource.fixed(SHARDS),
                workforce,
                network.initialWeights(5),
                null,
                listener())) {
            workforce.awaitWorkers(count, Duration.ofMinutes(1));
            TrainingResult result = training.run();
            workforce.end();
            return result;
        }
    }

    private RoundListener listener() {
        return new RoundListener() {
            @Override
            public void roundDone(RoundReport report) {
                losses.add(report.work().loss());
                if (report.round() == 2) {
                    afterRound2.run();
                }
            }

            @Override
            public void shardMissing(int round, int shard, String sentence) {
                told.add("round %d, shard %d: %s".formatted(round, shard, sentence));
            }
        };
    }
}
