package io.cutwater.trainer.distributed;

import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A training over topics with three shards, and workers that are threads and share only the topics. */
final class TopicTrainingFixture implements AutoCloseable {
    static final int SHARDS = 3;
    private static final int CLASSES = 4;
    static final Duration LONG = Duration.ofMinutes(1);
    static final Duration SILENCE = Duration.ofSeconds(3);

    /** More values than the network has. */
    private static final int MAX_VALUES = 10_000;

    private static final TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(4, 4), 10, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");

    static final String DESCRIPTION = "a test";
    static final AverageEvery EVERY_EPOCH = AverageEvery.epochs(1);
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    final Topics topics = new Topics("t" + PREFIXES.incrementAndGet() + "-");
    final RandomGraph graph = new RandomGraph(1, 200, 1200, 20, CLASSES, 0.3);
    final GnnNetwork network = new GnnNetwork(OPTIONS.model(), graph.columns, CLASSES);
    final List<Thread> workers = new ArrayList<>();
    final Rounds rounds = new Rounds();
    private final Supplier<String> bootstrapServers;
    private final Path temp;
    private final ShardStore[] stores;

    /** @param bootstrapServers returns the address of the broker, which a test may start again */
    TopicTrainingFixture(Supplier<String> bootstrapServers, Path temp) throws IOException {
        this.bootstrapServers = bootstrapServers;
        this.temp = temp;
        stores = graph.shards(temp, SHARDS);
    }

    /** Records all events and can run an action after a round. */
    static final class Rounds implements RoundListener {
        final List<Double> losses = Collections.synchronizedList(new ArrayList<>());
        final List<String> told = Collections.synchronizedList(new ArrayList<>());
        private int at = -1;
        private Runnable then = () -> {};

        /** Runs an action once the report of a round has come. */
        void after(int round, Runnable action) {
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

    /** A trainer that runs an action before each training and on close. */
    record Watched(ShardTrainer trainer, IntConsumer before, Runnable onClose) implements ShardTrainer {
        @Override
        public LocalUpdate train(Round round, ModelState from, FrameChannel others) throws InterruptedException {
            before.accept(round.number());
            return trainer.train(round, from, others);
        }

        @Override
        public AccuracyCounts evaluate(float[][] weights) throws IOException {
            return trainer.evaluate(weights);
        }

        @Override
        public void close() {
            trainer.close();
            onClose.run();
        }
    }

    /** Returns a trainer of a shard of the fixed cut. */
    ShardTrainer trainer(int shard, ShardCut cut) throws IOException {
        return new LocalTrainer(stores[shard], network, OPTIONS, Files.createTempDirectory(temp, "between"));
    }

    /** Returns a trainer of a shard of a graph that is cut anew. */
    ShardTrainer trainerOf(int shard, ShardCut cut) throws IOException {
        ShardStore store = graph.shards(Files.createTempDirectory(temp, "cut"), cut.shards())[shard];
        return new LocalTrainer(store, network, OPTIONS, Files.createTempDirectory(temp, "between"));
    }

    Thread worker(String name, ShardTrainers shards) {
        return start(name, DESCRIPTION, shards, 1);
    }

    Thread start(String name, String description, ShardTrainers shards, int threads) {
        return start(name, channel -> new TopicWorker(channel, name, description, shards, threads, null).run());
    }

    /** Starts a worker that also connects to others directly. */
    Thread meshWorker(String name) {
        MeshOptions options = MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of());
        return start(name, channel -> {
            try (Mesh mesh = new Mesh(name, options, MAX_VALUES)) {
                new TopicWorker(channel, name, DESCRIPTION, this::trainer, 1, mesh).run();
            }
        });
    }

    private interface Work {
        void run(ModelChannel channel) throws IOException, InterruptedException;
    }

    private Thread start(String name, Work work) {
        ModelChannel channel = ModelChannel.ofWorker(bootstrapServers.get(), Map.of(), topics);
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run(channel);
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        // the worker was killed
                    }
                },
                "worker " + name);
        workers.add(thread);
        thread.start();
        return thread;
    }

    /** Returns a workforce whose models travel on the topics. */
    TopicWorkforce workforce() {
        return workforce(null);
    }

    TopicWorkforce workforce(Mesh mesh) {
        return new TopicWorkforce(
                ModelChannel.ofCoordinator(bootstrapServers.get(), Map.of(), topics, TopicWorkforce.SENDER),
                DESCRIPTION,
                SILENCE,
                false,
                0,
                rounds.told::add,
                mesh);
    }

    /** Returns the bytes of the longest record on the topics. */
    long longestMessage() {
        List<TopicPartition> partitions =
                List.of(new TopicPartition(topics.models(), 0), new TopicPartition(topics.modelUpdates(), 0));
        Map<String, Object> settings = Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers.get());
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            int longest = 0;
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    longest = Math.max(longest, record.value().length);
                }
            }
            return longest;
        }
    }

    /** Opens the connections of a coordinator. */
    Mesh coordinatorMesh() throws IOException {
        return new Mesh("coordinator-1", MeshOptions.of("127.0.0.1:0", false, SILENCE, Map.of()), Integer.MAX_VALUE);
    }

    TrainingResult coordinate(int count, int epochs, Duration roundWait, Path out) throws Exception {
        return coordinate(EVERY_EPOCH, count, epochs, roundWait, out);
    }

    TrainingResult coordinate(AverageEvery every, int count, int epochs, Duration roundWait, Path out)
            throws Exception {
        return coordinate(workforce(), every, count, epochs, roundWait, out);
    }

    TrainingResult coordinate(
            TopicWorkforce workforce, AverageEvery every, int count, int epochs, Duration roundWait, Path out)
            throws Exception {
        try (AveragedTraining training = new AveragedTraining(
                DESCRIPTION,
                new AveragingOptions(epochs, every, count, roundWait, 0),
                CutSource.fixed(SHARDS),
                workforce,
                ModelState.initial(network.initialWeights(5)),
                out == null ? null : new CheckpointFile(out),
                rounds)) {
            training.resume();
            workforce.awaitWorkers(count, LONG);
            TrainingResult result = training.run();
            workforce.end();
            return result;
        }
    }

    TrainingResult inProcess(AverageEvery every, int epochs) throws Exception {
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

    /** Returns the losses of a training in this process. */
    List<Double> lossesInProcess(int epochs) throws Exception {
        inProcess(EVERY_EPOCH, epochs);
        return takeLosses();
    }

    /** Returns and forgets the losses so far. */
    List<Double> takeLosses() {
        List<Double> losses = List.copyOf(rounds.losses);
        rounds.losses.clear();
        return losses;
    }

    @Override
    public void close() throws InterruptedException {
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
    }
}
