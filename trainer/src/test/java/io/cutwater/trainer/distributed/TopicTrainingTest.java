package io.cutwater.trainer.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.kafka.training.ModelMessageCodec;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
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

/** Tests a training over topics with three shards, a broker, and workers that are threads and share only the topics. */
@Timeout(120)
class TopicTrainingTest {
    private static final int SHARDS = 3;
    private static final int CLASSES = 4;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofSeconds(3);
    private static final TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(4, 4), 10, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");
    private static final String DESCRIPTION = "a test";
    private static final AverageEvery EVERY_EPOCH = AverageEvery.epochs(1);
    private static final AverageEvery EVERY_BATCH = AverageEvery.batches(1);
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    @TempDir
    static Path brokerFolder;

    private static EmbeddedBroker broker;

    @TempDir
    Path temp;

    private final Topics topics = new Topics("t" + PREFIXES.incrementAndGet() + "-");
    private final RandomGraph graph = new RandomGraph(1, 200, 1200, 20, CLASSES, 0.3);
    private final GnnNetwork network = new GnnNetwork(OPTIONS.model(), graph.columns, CLASSES);
    private final List<Thread> workers = new ArrayList<>();
    private final Rounds rounds = new Rounds();
    private ShardStore[] stores;

    @BeforeAll
    static void startBroker() throws IOException {
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws IOException {
        broker.close();
    }

    @BeforeEach
    void cutGraph() throws IOException {
        stores = graph.shards(temp, SHARDS);
    }

    @AfterEach
    void endWorkers() throws InterruptedException {
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    /** Records all events and can run an action after a round. */
    private static final class Rounds implements RoundListener {
        private final List<Double> losses = Collections.synchronizedList(new ArrayList<>());
        private final List<String> told = Collections.synchronizedList(new ArrayList<>());
        private int at = -1;
        private Runnable then = () -> {};

        private void after(int round, Runnable action) {
            at = round;
            then = action;
        }

        @Override
        public void roundDone(RoundReport report) {
            losses.add(report.work().loss());
            if (report.round() == at) {
                then.run();
            }
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            told.add("round %d, shard %d: %s".formatted(round, shard, sentence));
        }
    }

    @Test
    void theModelIsThatOfOneProcess() throws Exception {
        TrainingResult alone = inProcess(4);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        worker("a", this::trainer);
        worker("b", this::trainer);
        TrainingResult result = coordinate(2, 4, LONG, null);
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(rounds.losses).isEqualTo(losses);
        assertThat(result.counts().total()).isEqualTo(alone.counts().total());
        assertThat(result.bytesAveraged())
                .isGreaterThan(4L * (SHARDS + 2) * 4 * 3 * network.initialWeights(1)[0].length);
        for (Thread worker : workers) {
            worker.join(10_000);
            assertThat(worker.isAlive()).as("is told that it is over").isFalse();
        }
    }

    @Test
    void averagedAtEveryMiniBatchItIsThatOfOneProcess() throws Exception {
        TrainingResult alone = inProcess(EVERY_BATCH, 3);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        worker("a", this::trainer);
        worker("b", this::trainer);
        TrainingResult result = coordinate(EVERY_BATCH, 2, 3, LONG, null);
        assertThat(result.weights()).isDeepEqualTo(alone.weights());
        assertThat(result.rounds()).isEqualTo(alone.rounds()).isGreaterThan(3);
        assertThat(rounds.losses).isEqualTo(losses).hasSize(3);
    }

    @Test
    void theGraphMayHaveAnotherNumberOfShardsInEachRound() throws Exception {
        grow((shard, cut) -> ofCut(shard, cut, new AtomicInteger()), null, 4);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (String name : List.of("a", "b")) {
            worker(name, (shard, cut) -> {
                ShardTrainer trainer = ofCut(shard, cut, open);
                most.accumulateAndGet(open.incrementAndGet(), Math::max);
                return trainer;
            });
        }
        try (TopicWorkforce workforce = workforce()) {
            workforce.awaitWorkers(2, LONG);
            grow(null, workforce, 4);
        }
        assertThat(rounds.losses).isEqualTo(losses);
        assertThat(most.get()).as("shards that were open at once").isBetween(4, 5);
        assertThat(rounds.told).allMatch(sentence -> sentence.endsWith("joins"));
    }

    /** Trains with 3, 1, 4 and then 2 shards, by trainers of this process or by a workforce. */
    private void grow(ShardTrainers trainers, Workforce workforce, int epochs) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        int[] shards = {3, 1, 4, 2};
        CutSource cuts = () -> new ShardCut(shards[asked.get()], List.of((long) asked.getAndIncrement()), List.of());
        AveragingOptions options = new AveragingOptions(epochs, 1, 2, LONG, 0).with(new RefreshPolicy(1, false));
        float[][] weights = network.initialWeights(5);
        try (AveragedTraining training = trainers != null
                ? new AveragedTraining(DESCRIPTION, options, cuts, trainers, weights, null, rounds)
                : new AveragedTraining(DESCRIPTION, options, cuts, workforce, weights, null, rounds)) {
            training.run();
        }
    }

    private ShardTrainer ofCut(int shard, ShardCut cut, AtomicInteger open) throws IOException {
        ShardStore store = graph.shards(Files.createTempDirectory(temp, "cut"), cut.shards())[shard];
        ShardTrainer trainer = new LocalTrainer(store, network, OPTIONS, Files.createTempDirectory(temp, "between"));
        return new Counted(trainer, open);
    }

    /** A trainer that decrements a counter on close. */
    private record Counted(ShardTrainer trainer, AtomicInteger open) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, AllReduce gradients) throws InterruptedException {
            return trainer.train(round, from, gradients);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) throws IOException {
            return trainer.evaluate(weights);
        }

        @Override
        public void close() {
            trainer.close();
            open.decrementAndGet();
        }
    }

    @Test
    void whatAKilledWorkerLeavesOthersDoAndTheLossesAreTheSame() throws Exception {
        inProcess(6);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        worker("a", this::trainer);
        Thread victim = worker("b", this::trainer);
        rounds.after(2, () -> {
            victim.interrupt(); // sends nothing more, as if it were dead
            worker("c", this::trainer); // another worker joins in the middle
        });
        coordinate(2, 6, LONG, null);
        assertThat(rounds.losses).isEqualTo(losses);
        assertThat(rounds.told)
                .contains("worker a joins", "worker b joins", "worker b timed out; its shards go to other workers")
                .contains("worker c joins")
                .allMatch(sentence -> sentence.startsWith("worker"));
    }

    @Test
    void aKilledCoordinatorGoesOnFromItsLastRoundWithTheSameWorkers() throws Exception {
        inProcess(5);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        Path out = Files.createDirectory(temp.resolve("out"));
        worker("a", this::trainer);
        worker("b", this::trainer);
        rounds.after(2, () -> Thread.currentThread().interrupt());
        assertThatThrownBy(() -> coordinate(2, 5, LONG, out)).isInstanceOf(InterruptedException.class);
        assertThat(rounds.losses).hasSize(2);
        coordinate(2, 5, LONG, out);
        assertThat(rounds.losses).isEqualTo(losses);
    }

    @Test
    void aCoordinatorThatIsStartedLaterTakesOverAndTheFirstEnds() throws Exception {
        inProcess(5);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        Path out = Files.createDirectory(temp.resolve("out"));
        worker("a", this::trainer);
        worker("b", this::trainer);
        AtomicReference<TopicWorkforce> second = new AtomicReference<>();
        rounds.after(2, () -> second.compareAndSet(null, workforce()));
        assertThatThrownBy(() -> coordinate(2, 5, LONG, out))
                .hasMessageStartingWith("another coordinator was started on the same topics and has taken over");
        assertThat(rounds.losses).hasSize(2);
        coordinate(second.get(), EVERY_EPOCH, 2, 5, LONG, out);
        assertThat(rounds.losses).isEqualTo(losses);
    }

    @Test
    void aBrokerThatIsStartedAgainLosesNothing() throws Exception {
        inProcess(4);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        worker("a", this::trainer);
        worker("b", this::trainer);
        rounds.after(2, () -> {
            try {
                int port = Integer.parseInt(broker.bootstrapServers().replaceAll(".*:", ""));
                broker.close();
                broker = EmbeddedBroker.start(brokerFolder, port);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        coordinate(2, 4, LONG, null);
        assertThat(rounds.losses).isEqualTo(losses);
        assertThat(rounds.told).noneMatch(sentence -> sentence.startsWith("round"));
    }

    @Test
    void aRoundGoesOnWithoutAWorkerThatIsLateAndSaysSo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        worker("a", (shard, cut) -> new Still(new CountDownLatch(0)));
        worker("b", (shard, cut) -> new Still(never));
        coordinate(2, 1, Duration.ofSeconds(3), null);
        // Worker a has shards 0 and 2, worker b has shard 1.
        assertThat(rounds.told)
                .contains("round 1, shard 1: worker b did not finish in time")
                .noneMatch(sentence -> sentence.contains("shard 0") || sentence.contains("shard 2"));
    }

    @Test
    void aWorkerWithSeveralThreadsTrainsAsManyShardsAtTheSameTime() throws Exception {
        inProcess(2);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        CyclicBarrier together = new CyclicBarrier(2);
        start(
                "a",
                DESCRIPTION,
                (shard, cut) -> shard == 1 ? trainer(shard, cut) : new Both(trainer(shard, cut), together),
                2);
        worker("b", this::trainer);
        // In turn a, b, a: a has shards 0 and 2.
        coordinate(2, 2, LONG, null);
        assertThat(rounds.told).noneMatch(sentence -> sentence.startsWith("round"));
        assertThat(rounds.losses).isEqualTo(losses);
    }

    @Test
    void aWorkerOfAnotherTrainingIsToldApart() throws Exception {
        worker("a", this::trainer);
        start("b", "another test", this::trainer, 1);
        coordinate(2, 1, LONG, null);
        assertThat(rounds.told)
                .contains(
                        "round 1, shard 1: worker b failed: it was started for 'another test', but the coordinator trains 'a test'");
    }

    /** Writes wrong lengths, models of another shape and foreign records to both topics all the time. */
    @Test
    void foreignAndDamagedMessagesDoNotEndATraining() throws Exception {
        inProcess(2);
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        ModelChannel channel =
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics, TopicWorkforce.SENDER);
        long run = channel.run();
        try (KafkaProducer<byte[], byte[]> stranger =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            worker(
                    "a",
                    (shard, cut) -> new Disturbed(trainer(shard, cut), round -> disturb(stranger, run, round, shard)));
            TopicWorkforce workforce = new TopicWorkforce(channel, DESCRIPTION, LONG, rounds.told::add);
            coordinate(workforce, EVERY_EPOCH, 1, 2, LONG, null);
        }
        assertThat(rounds.losses).isEqualTo(losses);
        assertThat(rounds.told)
                .anyMatch(sentence -> sentence.startsWith("skipped a message from stranger about shard"))
                .noneMatch(sentence -> sentence.startsWith("round"));
    }

    private void disturb(KafkaProducer<byte[], byte[]> stranger, long run, int round, int shard) {
        ByteBuffer update = ByteBuffer.allocate(6 * Long.BYTES + Integer.BYTES + 2 * Long.BYTES + 2 * Integer.BYTES);
        int at = update.capacity() - 2 * Integer.BYTES;
        for (int[] lengths : new int[][] {{1, Integer.MAX_VALUE}, {Integer.MAX_VALUE, 0}, {-1, 0}, {0, 0}}) {
            byte[] body = update.putInt(at, lengths[0])
                    .putInt(at + Integer.BYTES, lengths[1])
                    .array()
                    .clone();
            ModelMessageCodec.encode(new ModelMessage(Kind.UPDATE, run, round, shard, 10, "stranger", body))
                    .forEach(value -> send(stranger, topics.modelUpdates(), value));
        }
        for (int[] order : new int[][] {{1, -1}, {1, Integer.MAX_VALUE}, {1, 1, -1}, {1, 1, Integer.MAX_VALUE}}) {
            ByteBuffer body =
                    ByteBuffer.allocate(2 + order.length * Integer.BYTES).putShort((short) 0);
            IntStream.of(order).forEach(body::putInt);
            ModelMessageCodec.encode(new ModelMessage(Kind.TRAIN, run, 0, -1, 0, "stranger", body.array()))
                    .forEach(value -> send(stranger, topics.models(), value));
        }
        for (String topic : List.of(topics.models(), topics.modelUpdates())) {
            send(stranger, topic, new byte[] {1, 2, 3});
            send(stranger, topic, null);
        }
        stranger.flush();
    }

    private static void send(KafkaProducer<byte[], byte[]> stranger, String topic, byte[] value) {
        Future<RecordMetadata> unused = stranger.send(new ProducerRecord<>(topic, 0, new byte[] {1}, value));
    }

    /** A trainer that runs an action before each training. */
    private record Disturbed(ShardTrainer trainer, IntConsumer before) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, AllReduce gradients) throws InterruptedException {
            before.accept(round.number());
            return trainer.train(round, from, gradients);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) throws IOException {
            return trainer.evaluate(weights);
        }

        @Override
        public void close() {
            trainer.close();
        }
    }

    @Test
    void withoutWorkersItSaysHowToStartOne() {
        assertThatThrownBy(() -> {
                    try (TopicWorkforce nobody = workforce()) {
                        nobody.awaitWorkers(1, Duration.ofSeconds(1));
                    }
                })
                .hasMessageStartingWith("no worker joined within 1 s; start 'train --role worker'");
    }

    /** A trainer that waits until others train, too. */
    private record Both(ShardTrainer trainer, CyclicBarrier together) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, AllReduce gradients) throws InterruptedException {
            try {
                together.await();
            } catch (BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            return trainer.train(round, from, gradients);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) throws IOException {
            return trainer.evaluate(weights);
        }

        @Override
        public void close() {
            trainer.close();
        }
    }

    /** A trainer that waits for permission and learns nothing. */
    private record Still(CountDownLatch begin) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, AllReduce gradients) throws InterruptedException {
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

    private ShardTrainer trainer(int shard, ShardCut cut) throws IOException {
        return new LocalTrainer(stores[shard], network, OPTIONS, Files.createTempDirectory(temp, "between"));
    }

    private Thread worker(String name, ShardTrainers shards) {
        return start(name, DESCRIPTION, shards, 1);
    }

    private Thread start(String name, String description, ShardTrainers shards, int threads) {
        ModelChannel channel = ModelChannel.ofWorker(broker.bootstrapServers(), Map.of(), topics);
        Thread thread = new Thread(
                () -> {
                    try {
                        new TopicWorker(channel, name, description, shards, threads).run();
                    } catch (InterruptedException | RuntimeException e) {
                        // the worker was killed
                    }
                },
                "worker " + name);
        workers.add(thread);
        thread.start();
        return thread;
    }

    private TopicWorkforce workforce() {
        return new TopicWorkforce(
                ModelChannel.ofCoordinator(broker.bootstrapServers(), Map.of(), topics, TopicWorkforce.SENDER),
                DESCRIPTION,
                SILENCE,
                rounds.told::add);
    }

    private TrainingResult coordinate(int count, int epochs, Duration roundWait, Path out) throws Exception {
        return coordinate(EVERY_EPOCH, count, epochs, roundWait, out);
    }

    private TrainingResult coordinate(AverageEvery every, int count, int epochs, Duration roundWait, Path out)
            throws Exception {
        return coordinate(workforce(), every, count, epochs, roundWait, out);
    }

    private TrainingResult coordinate(
            TopicWorkforce workforce, AverageEvery every, int count, int epochs, Duration roundWait, Path out)
            throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(epochs, every, count, roundWait, 0),
                CutSource.fixed(SHARDS),
                workforce,
                network.initialWeights(5),
                out == null ? null : new CheckpointFile(out),
                rounds)) {
            training.resume();
            workforce.awaitWorkers(count, LONG);
            TrainingResult result = training.run();
            workforce.end();
            return result;
        }
    }

    private TrainingResult inProcess(int epochs) throws Exception {
        return inProcess(EVERY_EPOCH, epochs);
    }

    private TrainingResult inProcess(AverageEvery every, int epochs) throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(epochs, every, 2, LONG, 0),
                CutSource.fixed(SHARDS),
                this::trainer,
                network.initialWeights(5),
                null,
                rounds)) {
            return training.run();
        }
    }
}
