package io.cutwater.trainer.distributed;

import static io.cutwater.trainer.distributed.TopicTrainingFixture.DESCRIPTION;
import static io.cutwater.trainer.distributed.TopicTrainingFixture.EVERY_EPOCH;
import static io.cutwater.trainer.distributed.TopicTrainingFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.kafka.training.ModelMessageCodec;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.distributed.TopicTrainingFixture.Watched;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training over topics survives killed processes, a restarted broker, late workers and foreign messages. */
@Timeout(120)
class TopicTrainingFailuresTest {
    @TempDir
    static Path brokerFolder;

    private static EmbeddedBroker broker;

    @TempDir
    Path temp;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws IOException {
        broker.close();
    }

    private TopicTrainingFixture training;

    @BeforeEach
    void prepare() throws IOException {
        training = new TopicTrainingFixture(() -> broker.bootstrapServers(), temp);
    }

    @AfterEach
    void endWorkers() throws InterruptedException {
        training.close();
    }

    @Test
    void whatAKilledWorkerLeavesOthersDoAndTheLossesAreTheSame() throws Exception {
        List<Double> losses = training.lossesInProcess(6);
        training.worker("a", training::trainer);
        Thread victim = training.worker("b", training::trainer);
        training.rounds.after(2, () -> {
            victim.interrupt(); // sends nothing more, as if it were dead
            training.worker("c", training::trainer); // another worker joins in the middle
        });
        training.coordinate(2, 6, LONG, null);
        assertThat(training.rounds.losses).isEqualTo(losses);
        assertThat(training.rounds.told)
                .contains("worker a joins", "worker b joins", "worker b timed out; its shards go to other workers")
                .contains("worker c joins")
                .allMatch(sentence -> sentence.startsWith("worker"));
    }

    @Test
    void aKilledCoordinatorGoesOnFromItsLastRoundWithTheSameWorkers() throws Exception {
        List<Double> losses = training.lossesInProcess(5);
        Path out = Files.createDirectory(temp.resolve("out"));
        training.worker("a", training::trainer);
        training.worker("b", training::trainer);
        training.rounds.after(2, () -> Thread.currentThread().interrupt());
        assertThatThrownBy(() -> training.coordinate(2, 5, LONG, out)).isInstanceOf(InterruptedException.class);
        assertThat(training.rounds.losses).hasSize(2);
        training.coordinate(2, 5, LONG, out);
        assertThat(training.rounds.losses).isEqualTo(losses);
    }

    @Test
    void aCoordinatorThatIsStartedLaterTakesOverAndTheFirstEnds() throws Exception {
        List<Double> losses = training.lossesInProcess(5);
        Path out = Files.createDirectory(temp.resolve("out"));
        training.worker("a", training::trainer);
        training.worker("b", training::trainer);
        AtomicReference<TopicWorkforce> second = new AtomicReference<>();
        training.rounds.after(2, () -> second.compareAndSet(null, training.workforce()));
        assertThatThrownBy(() -> training.coordinate(2, 5, LONG, out))
                .hasMessageStartingWith("another coordinator was started on the same topics and has taken over");
        assertThat(training.rounds.losses).hasSize(2);
        training.coordinate(second.get(), EVERY_EPOCH, 2, 5, LONG, out);
        assertThat(training.rounds.losses).isEqualTo(losses);
    }

    @Test
    void aBrokerThatIsStartedAgainLosesNothing() throws Exception {
        List<Double> losses = training.lossesInProcess(4);
        training.worker("a", training::trainer);
        training.worker("b", training::trainer);
        training.rounds.after(2, () -> {
            try {
                int port = Integer.parseInt(broker.bootstrapServers().replaceAll(".*:", ""));
                broker.close();
                broker = EmbeddedBroker.start(brokerFolder, port);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        training.coordinate(2, 4, LONG, null);
        assertThat(training.rounds.losses).isEqualTo(losses);
        assertThat(training.rounds.told).noneMatch(sentence -> sentence.startsWith("round"));
    }

    @Test
    void aRoundGoesOnWithoutAWorkerThatIsLateAndSaysSo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        training.worker("a", (shard, cut) -> new Still(new CountDownLatch(0)));
        training.worker("b", (shard, cut) -> new Still(never));
        training.start("s", DESCRIPTION, training::trainer, 0);
        training.coordinate(2, 1, Duration.ofSeconds(3), null);
        // Worker a has shards 0 and 2, worker b has shard 1.
        assertThat(training.rounds.told)
                .contains(
                        "round 1, shard 1: worker b did not finish in time",
                        "sampler s joins and is not used; give the coordinator --sampler-processes")
                .noneMatch(sentence -> sentence.contains("shard 0") || sentence.contains("shard 2"));
    }

    @Test
    void aWorkerOfAnotherTrainingEndsAndOthersTrainItsShards() throws Exception {
        List<Double> expected = training.lossesInProcess(3);
        training.worker("a", training::trainer);
        Thread other = training.start("b", "another test", training::trainer, 1);
        training.coordinate(2, 3, LONG, null);
        other.join();
        assertThat(training.rounds.losses).isEqualTo(expected);
        String sentence =
                "it was started for 'another test', but the coordinator trains 'a test'; give all processes the same shards and options";
        assertThat(training.rounds.told)
                .contains("worker b ends and is not used: " + sentence)
                .noneMatch(told -> told.startsWith("round "));
    }

    @Test
    void aShardThatOneWorkerCannotBuildGoesToAnother() throws Exception {
        List<Double> expected = training.lossesInProcess(3);
        training.worker("a", training::trainer);
        training.worker("b", (shard, cut) -> {
            throw new IOException("the disk is full");
        });
        training.coordinate(2, 3, LONG, null);
        assertThat(training.rounds.losses).isEqualTo(expected);
        assertThat(training.rounds.told).noneMatch(told -> told.startsWith("round "));
    }

    @Test
    void aShardThatNoWorkerCanBuildEndsTheTraining() {
        ShardTrainers withoutFeatures = (shard, cut) -> {
            if (shard == 1) {
                ShardBuilder.refuse(shard, 5, 7);
            }
            return training.trainer(shard, cut);
        };
        training.worker("a", withoutFeatures);
        training.worker("b", withoutFeatures);
        assertThatThrownBy(() -> training.coordinate(2, 3, LONG, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no worker can build shard 1: shard 1 has 5 vertices without features, such as vertex 7; "
                        + "give a row for each vertex of this graph, or use --allow-missing-features for zeros");
    }

    @Test
    void aModelThatCannotBeReadFailsEachShardOfTheWorker() {
        try (ModelChannel coordinator = ModelChannel.ofCoordinator(
                broker.bootstrapServers(), Map.of(), training.topics, TopicWorkforce.SENDER)) {
            training.worker("a", training::trainer);
            while (coordinator.poll(LONG).stream().noneMatch(message -> message.kind() == Kind.ALIVE)) {
                assertThat(training.workers).allMatch(Thread::isAlive);
            }
            WorkAssignment order =
                    new WorkAssignment(DESCRIPTION, new Round(1, ShardCut.only(3), 0, 1), Map.of("a", List.of(1, 2)));
            coordinator.send(new ModelMessage(
                    Kind.TRAIN,
                    coordinator.run(),
                    1,
                    -1,
                    0,
                    TopicWorkforce.SENDER,
                    order.encode((out, isLinked) -> {}, false)));
            Map<Integer, String> failed = new HashMap<>();
            while (failed.size() < 2) {
                coordinator.poll(LONG).stream()
                        .filter(message -> message.kind() == Kind.FAILED)
                        .forEach(message -> failed.put(message.shard(), Answers.sentence(message)));
            }
            assertThat(failed.keySet()).containsExactlyInAnyOrder(1, 2);
            assertThat(failed.values())
                    .containsOnly("it cannot read the request; run all processes with the same version");
        }
    }

    /** Writes wrong lengths, models of another shape and foreign records to both topics all the time. */
    @Test
    void foreignAndDamagedMessagesDoNotEndATraining() throws Exception {
        List<Double> losses = training.lossesInProcess(2);
        ModelChannel channel =
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), training.topics, TopicWorkforce.SENDER);
        long run = channel.run();
        try (KafkaProducer<byte[], byte[]> stranger =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            training.worker(
                    "a",
                    (shard, cut) -> new Watched(
                            training.trainer(shard, cut), round -> disturb(stranger, run, round, shard), () -> {}));
            TopicWorkforce workforce =
                    new TopicWorkforce(channel, DESCRIPTION, LONG, false, 0, training.rounds.told::add, null);
            training.coordinate(workforce, EVERY_EPOCH, 1, 2, LONG, null);
        }
        assertThat(training.rounds.losses).isEqualTo(losses);
        assertThat(training.rounds.told)
                .anyMatch(sentence -> sentence.startsWith("skipped a message from stranger about shard"))
                .noneMatch(sentence -> sentence.startsWith("round"));
    }

    private void disturb(KafkaProducer<byte[], byte[]> stranger, long run, int round, int shard) {
        ByteBuffer update = ByteBuffer.allocate(
                        Integer.BYTES + 7 * Long.BYTES + Integer.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES)
                .putInt(0, 1);
        int at = update.capacity() - 2 * Integer.BYTES;
        for (int[] lengths : new int[][] {{1, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 0}, {-1, 0}, {0, 0}}) {
            byte[] body = update.putInt(at, lengths[0])
                    .putInt(at + Integer.BYTES, lengths[1])
                    .array()
                    .clone();
            ModelMessageCodec.encode(new ModelMessage(Kind.UPDATE, run, round, shard, 10, "stranger", body))
                    .forEach(value -> send(stranger, training.topics.modelUpdates(), value));
        }
        for (int[] order : new int[][] {{1, -1}, {1, Integer.MAX_VALUE}, {1, 1, -1}, {1, 1, Integer.MAX_VALUE}}) {
            ByteBuffer body =
                    ByteBuffer.allocate(2 + order.length * Integer.BYTES).putShort((short) 0);
            IntStream.of(order).forEach(body::putInt);
            ModelMessageCodec.encode(new ModelMessage(Kind.TRAIN, run, 0, -1, 0, "stranger", body.array()))
                    .forEach(value -> send(stranger, training.topics.models(), value));
        }
        for (String topic : List.of(training.topics.models(), training.topics.modelUpdates())) {
            send(stranger, topic, new byte[] {1, 2, 3});
            send(stranger, topic, null);
        }
        stranger.flush();
    }

    private static void send(KafkaProducer<byte[], byte[]> stranger, String topic, byte[] value) {
        Future<RecordMetadata> unused = stranger.send(new ProducerRecord<>(topic, 0, new byte[] {1}, value));
    }

    @Test
    void withoutWorkersItSaysHowToStartOne() {
        assertThatThrownBy(() -> {
                    try (TopicWorkforce nobody = training.workforce()) {
                        nobody.awaitWorkers(1, Duration.ofSeconds(1));
                    }
                })
                .hasMessageStartingWith("no worker joined within 1 s; start 'train --role worker'");
    }

    /** A trainer that waits for permission and learns nothing. */
    private record Still(CountDownLatch begin) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            begin.await();
            return new LocalUpdate(from, 10, 1, EpochReport.nothing(), ShardSize.NOTHING);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) {
            return new AccuracyCounts();
        }

        @Override
        public void close() {}
    }
}
