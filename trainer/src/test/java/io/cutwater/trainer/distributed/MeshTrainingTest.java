package io.cutwater.trainer.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.ModelState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests rounds of shared steps by workers that are threads, and share only topics and direct connections. */
@Timeout(120)
class MeshTrainingTest {
    private static final int EPOCHS = 4;

    @TempDir
    static Path brokerFolder;

    private static EmbeddedBroker broker;

    @TempDir
    Path temp;

    private TopicTrainingFixture training;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws IOException {
        broker.close();
    }

    @BeforeEach
    void prepare() throws IOException {
        training = new TopicTrainingFixture(() -> broker.bootstrapServers(), temp);
    }

    @AfterEach
    void endWorkers() throws InterruptedException {
        training.close();
    }

    @Test
    void theModelIsThatOfOneProcessAndAKilledWorkersShardsGoToOthers() throws Exception {
        TrainingResult alone = training.inProcess(AverageEvery.gradients(), EPOCHS);
        List<Double> expected = training.takeLosses();
        training.meshWorker("a");
        Thread victim = training.meshWorker("b");
        training.rounds.after(2, () -> {
            victim.interrupt(); // its connections close, and its shards have no worker until it times out
            training.meshWorker("c");
        });
        TrainingResult result =
                training.coordinate(AverageEvery.gradients(), 2, EPOCHS, TopicTrainingFixture.LONG, null);
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(training.rounds.losses).isEqualTo(expected).hasSize(EPOCHS);
        assertThat(training.rounds.told)
                .contains("worker c joins", "worker b timed out; its shards go to other workers")
                .anyMatch(sentence -> sentence.startsWith("round 3, attempt 1: shard ")
                        && sentence.contains("worker b")
                        && sentence.endsWith("; the round begins again"));
        assertThat(result.bytesAveraged()).isGreaterThan(alone.bytesAveraged());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "gradients"})
    void modelsTravelDirectlyWithTheResultOfOneProcess(String every) throws Exception {
        AverageEvery averageEvery = AverageEvery.of(every);
        TrainingResult alone = training.inProcess(averageEvery, EPOCHS);
        List<Double> expected = training.takeLosses();
        training.meshWorker("a");
        Thread victim = training.meshWorker("b");
        training.rounds.after(2, () -> {
            victim.interrupt();
            training.meshWorker("c");
        });
        try (Mesh mesh = training.coordinatorMesh()) {
            TrainingResult result = training.coordinate(
                    training.workforce(mesh), averageEvery, 2, EPOCHS, TopicTrainingFixture.LONG, null);
            assertThat(result.weights()).isDeepEqualTo(alone.weights());
            assertThat(result.bytesAveraged()).isPositive();
        }
        assertThat(training.rounds.losses).isEqualTo(expected).hasSize(EPOCHS);
        assertThat(training.rounds.told).contains("worker c joins").noneMatch(note -> note.contains("on the topics"));
        long model = ModelState.initial(training.network.initialWeights(5)).bytes();
        assertThat(training.longestMessage()).as("no model is on the topics").isLessThan(model / 3);
    }

    @Test
    void modelsTravelOnTheTopicsIfAWorkerCannotFetchThem() throws Exception {
        training.inProcess(TopicTrainingFixture.EVERY_EPOCH, EPOCHS);
        List<Double> expected = training.takeLosses();
        training.meshWorker("a");
        training.worker("b", training::trainer);
        try (Mesh mesh = training.coordinatorMesh()) {
            training.coordinate(
                    training.workforce(mesh),
                    TopicTrainingFixture.EVERY_EPOCH,
                    2,
                    EPOCHS,
                    TopicTrainingFixture.LONG,
                    null);
        }
        assertThat(training.rounds.losses).isEqualTo(expected);
        assertThat(training.rounds.told)
                .contains("worker b: models travel on the topics from now on; it has no direct connections; start it"
                        + " with --transport mesh");
    }

    @Test
    void aWorkerWithoutAnAddressTakesNoPart() throws Exception {
        training.worker("a", training::trainer);
        assertThatThrownBy(() -> training.coordinate(AverageEvery.gradients(), 1, EPOCHS, Duration.ofMillis(200), null))
                .hasMessageContaining("round 1 needs all shards at the same time")
                .hasMessageContaining("start workers with --transport mesh");
    }
}
