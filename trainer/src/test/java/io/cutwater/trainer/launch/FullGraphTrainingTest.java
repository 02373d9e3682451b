package io.cutwater.trainer.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FullGraphTrainingTest implements RoundListener {
    private static final Duration WAIT = Duration.ofMinutes(1);

    @TempDir
    private Path temp;

    private final List<RoundReport> done = new ArrayList<>();

    private static TrainerOptions options(String model, double dropout) {
        return new TrainerOptions(
                new ModelOptions(model, 2, 8, 1, Aggregator.MEAN, dropout),
                new SamplingOptions(Collections.nCopies(2, SamplingOptions.ALL), SamplingOptions.ALL, 1, 1),
                0.01,
                5e-4,
                7,
                "cpu");
    }

    private TrainingResult train(
            String model,
            ShardSource source,
            FullGraphOptions how,
            int epochs,
            int every,
            int merge,
            @Nullable Path out,
            boolean resumes)
            throws IOException, InterruptedException {
        TrainerOptions options = options(model, 0.5);
        DataShape shape = source.shape();
        GnnNetwork network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        try (AveragedTraining training = new AveragedTraining(
                "test",
                new AveragingOptions(
                        epochs, 1, AverageEvery.epochs(every), 1, WAIT, 0, new RefreshPolicy(merge, false)),
                source::latest,
                new FullGraphTrainers(
                        new FullGraphStores(source, shape, temp), shape.features(), network, options, how),
                network.initialWeights(options.randomSeed()),
                out == null ? null : new CheckpointFile(Files.createDirectories(out)),
                this)) {
            if (resumes) {
                training.resume();
            }
            return training.run();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gcn | none",
                "gcn | epoch:2",
                "gcn | adaptive:1",
                "gcn | variation:0.05,3",
                "gat | epoch:2",
                "gat | adaptive:1"
            })
    void aResumedTrainingIsTheSame(String model, String rule) throws Exception {
        Staleness parsed = Staleness.of(rule);
        FullGraphOptions how = new FullGraphOptions(
                new Staleness(parsed.kind(), parsed.bound(), parsed.change(), 0), RowCoding.INT8, true);
        ShardSource graph = new GrowingGraph(temp, 3);
        TrainingResult whole = train(model, graph, how, 24, 6, 0, null, false);
        assertThat(whole.traffic().forwardAvoided()).isPositive();
        List<Double> losses = done.stream().map(round -> round.work().loss()).toList();
        done.clear();
        Path out = temp.resolve("out");
        train(model, graph, how, 12, 6, 0, out, false);
        TrainingResult resumed = train(model, graph, how, 24, 6, 0, out, true);
        assertThat(done).extracting(round -> round.work().loss()).containsExactlyElementsOf(losses);
        assertThat(resumed.weights()).isDeepEqualTo(whole.weights());
        assertThat(Files.readAllLines(out.resolve("rounds.csv"))).hasSize(1 + 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcn", "gat"})
    void aNewerCutWithOtherShardsIsTrainedOn(String model) throws Exception {
        ShardSource growing = new GrowingGraph(temp, 2, 5, -4).growingWhenAsked();
        FullGraphOptions how = new FullGraphOptions(Staleness.of("epoch:1"), RowCoding.FLOAT32, false);
        train(model, growing, how, 30, 5, 10, null, false);
        assertThat(done).extracting(round -> round.cut().shards()).containsExactly(2, 2, 5, 5, 4, 4);
        assertThat(done).extracting(round -> round.size().vertices()).containsOnly((long) GrowingGraph.VERTICES);
        assertThat(done.get(5).work().loss()).isLessThan(done.get(0).work().loss());
    }

    /** The losses are those of the trainer of one shard, which has other code, if nothing is random. */
    @ParameterizedTest
    @ValueSource(strings = {"gcn", "graphsage"})
    void theLossesAreThoseOfTheOtherTrainer(String model) throws Exception {
        TrainerOptions options = options(model, 0);
        List<Double> local = losses(options, new GrowingGraph(temp, 1), false);
        assertThat(losses(options, new GrowingGraph(temp, 3), true)).satisfies(losses -> {
            for (int round = 0; round < local.size(); round++) {
                assertThat(losses.get(round)).isCloseTo(local.get(round), within(1e-5 * local.get(round)));
            }
        });
    }

    private List<Double> losses(TrainerOptions options, ShardSource source, boolean isFull)
            throws IOException, InterruptedException {
        DataShape shape = source.shape();
        GnnNetwork network = new GnnNetwork(options.model(), shape.features(), shape.classes());
        done.clear();
        Path scratch = Files.createTempDirectory(temp, "scratch");
        AveragingOptions averaging = new AveragingOptions(20, 1, 1, WAIT, 0);
        try (AveragedTraining training = isFull
                ? new AveragedTraining(
                        "test",
                        averaging,
                        source::latest,
                        new FullGraphTrainers(
                                new FullGraphStores(source, shape, scratch),
                                shape.features(),
                                network,
                                options,
                                FullGraphOptions.EXACT),
                        network.initialWeights(1),
                        null,
                        this)
                : new AveragedTraining(
                        "test",
                        averaging,
                        source::latest,
                        new SourceTrainers(source, shape, options, scratch),
                        network.initialWeights(1),
                        null,
                        this)) {
            training.run();
        }
        return done.stream().map(round -> round.work().loss()).toList();
    }

    @Test
    void aShardThatCannotBeBuiltEndsTheTrainingByName() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, 3);
        FullGraphStores stores = new FullGraphStores(graph, graph.shape(), temp);
        FullGraphTrainers.Stores failing = new FullGraphTrainers.Stores() {
            @Override
            public PartitioningKind kind() throws IOException, InterruptedException {
                return stores.kind();
            }

            @Override
            public void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException {
                if (shard == 1) {
                    throw new IOException("out of luck");
                }
                stores.open(shard, cut, consumer);
            }
        };
        TrainerOptions options = options("gcn", 0);
        GnnNetwork network = new GnnNetwork(
                options.model(), graph.shape().features(), graph.shape().classes());
        try (AveragedTraining training = new AveragedTraining(
                "test",
                new AveragingOptions(2, 1, 1, WAIT, 0),
                graph::latest,
                new FullGraphTrainers(failing, graph.shape().features(), network, options, FullGraphOptions.EXACT),
                network.initialWeights(1),
                null,
                RoundListener.all(List.of()))) {
            assertThatThrownBy(training::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("round 1 needs all shards at the same time, but shard ")
                    .hasMessageContaining("out of luck");
        }
    }

    @Test
    void whatAttentionCannotDoIsRefused() {
        ModelOptions gat = options("gat", 0).model();
        FullGraphOptions variation =
                new FullGraphOptions(Staleness.of("variation:0.02"), FullGraphOptions.EXACT.coding(), false);
        assertThatThrownBy(() -> variation.requireSupported(gat))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--staleness variation does not work with --model gat");
        FullGraphOptions small = new FullGraphOptions(Staleness.NONE, RowCoding.INT8, false);
        small.requireShards(gat, PartitioningKind.VERTEX);
        FullGraphOptions.EXACT.requireShards(gat, PartitioningKind.EDGE);
        assertThatThrownBy(() -> small.requireShards(gat, PartitioningKind.EDGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--compress int8 does not work with --model gat on shards of edges");
        FullGraphOptions old = new FullGraphOptions(Staleness.of("epoch:1"), RowCoding.FLOAT32, false);
        assertThatThrownBy(() -> old.requireShards(gat, PartitioningKind.EDGE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--staleness epoch:1 does not work with --model gat on shards of edges");
    }

    @Override
    public void roundDone(RoundReport report) {
        done.add(report);
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new AssertionError(sentence);
    }
}
