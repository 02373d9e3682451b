package io.cutwater.trainer.distributed;

import static io.cutwater.trainer.distributed.TopicTrainingFixture.DESCRIPTION;
import static io.cutwater.trainer.distributed.TopicTrainingFixture.EVERY_EPOCH;
import static io.cutwater.trainer.distributed.TopicTrainingFixture.LONG;
import static io.cutwater.trainer.distributed.TopicTrainingFixture.SHARDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.distributed.TopicTrainingFixture.Watched;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A training over topics gives the model of a training in one process. */
@Timeout(120)
class TopicTrainingTest {
    private static final AverageEvery EVERY_BATCH = AverageEvery.batches(1);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    Path temp;

    private TopicTrainingFixture training;

    @BeforeEach
    void prepare() throws IOException {
        training = new TopicTrainingFixture(broker::bootstrapServers, temp);
    }

    @AfterEach
    void endWorkers() throws InterruptedException {
        training.close();
    }

    @Test
    void theModelIsThatOfOneProcess() throws Exception {
        TrainingResult alone = training.inProcess(EVERY_EPOCH, 4);
        List<Double> losses = training.takeLosses();
        training.worker("a", training::trainer);
        training.worker("b", training::trainer);
        TrainingResult result = training.coordinate(2, 4, LONG, null);
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(training.rounds.losses).isEqualTo(losses);
        assertThat(result.counts().total()).isEqualTo(alone.counts().total());
        assertThat(result.bytesAveraged())
                .isGreaterThan(4L * (SHARDS + 2) * 4 * 3 * training.network.initialWeights(1)[0].length);
        for (Thread worker : training.workers) {
            worker.join(10_000);
            assertThat(worker.isAlive()).as("is told that it is over").isFalse();
        }
    }

    @Test
    void averagedAtEveryMiniBatchItIsThatOfOneProcess() throws Exception {
        TrainingResult alone = training.inProcess(EVERY_BATCH, 3);
        List<Double> losses = training.takeLosses();
        training.worker("a", training::trainer);
        training.worker("b", training::trainer);
        TrainingResult result = training.coordinate(EVERY_BATCH, 2, 3, LONG, null);
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(result.rounds()).isEqualTo(alone.rounds()).isGreaterThan(3);
        assertThat(training.rounds.losses).isEqualTo(losses).hasSize(3);
    }

    @Test
    void theGraphMayHaveAnotherNumberOfShardsInEachRound() throws Exception {
        grow((shard, cut) -> ofCut(shard, cut, new AtomicInteger()), null, 4);
        List<Double> losses = training.takeLosses();
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (String name : List.of("a", "b")) {
            training.worker(name, (shard, cut) -> {
                ShardTrainer trainer = ofCut(shard, cut, open);
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                return trainer;
            });
        }
        try (TopicWorkforce workforce = training.workforce()) {
            workforce.awaitWorkers(2, LONG);
            grow(null, workforce, 4);
        }
        assertThat(training.rounds.losses).isEqualTo(losses);
        assertThat(most.get()).as("shards that were open at once").isBetween(4, 5);
        assertThat(training.rounds.told).allMatch(sentence -> sentence.endsWith("joins"));
    }

    /** Trains with 3, 1, 4 and then 2 shards, by trainers of this process or by a workforce. */
    private void grow(ShardTrainers trainers, Workforce workforce, int epochs) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        int[] shards = {3, 1, 4, 2};
        CutSource cuts = () -> new ShardCut(shards[asked.get()], List.of((long) asked.getAndIncrement()), List.of());
        AveragingOptions options = new AveragingOptions(epochs, 1, 2, LONG, 0).with(new RefreshPolicy(1, false));
        float[][] weights = training.network.initialWeights(5);
        try (AveragedTraining averaged = trainers != null
                ? new AveragedTraining(DESCRIPTION, options, cuts, trainers, weights, null, training.rounds)
                : new AveragedTraining(
                        DESCRIPTION, options, cuts, workforce, ModelState.initial(weights), null, training.rounds)) {
            averaged.run();
        }
    }

    private ShardTrainer ofCut(int shard, ShardCut cut, AtomicInteger open) throws IOException {
        ShardTrainer trainer = training.trainerOf(shard, cut);
        return new Watched(trainer, round -> {}, open::decrementAndGet);
    }

    @Test
    void aWorkerWithSeveralThreadsTrainsAsManyShardsAtTheSameTime() throws Exception {
        List<Double> losses = training.lossesInProcess(2);
        CyclicBarrier together = new CyclicBarrier(2);
        training.start(
                "a",
                DESCRIPTION,
                (shard, cut) -> shard == 1
                        ? training.trainer(shard, cut)
                        : new Watched(training.trainer(shard, cut), round -> await(together), () -> {}),
                2);
        training.worker("b", training::trainer);
        // In turn a, b, a: a has shards 0 and 2.
        training.coordinate(2, 2, LONG, null);
        assertThat(training.rounds.told).noneMatch(sentence -> sentence.startsWith("round"));
        assertThat(training.rounds.losses).isEqualTo(losses);
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
