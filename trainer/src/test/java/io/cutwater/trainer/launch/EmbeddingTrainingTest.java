package io.cutwater.trainer.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.EmbeddingFiles;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A graph without features is trained with learned rows. */
@Timeout(120)
class EmbeddingTrainingTest implements RoundListener {
    private static final int WIDTH = 8;
    private static final long SEED = 5;
    private static final double RATE = 0.01;

    @TempDir
    private Path temp;

    private final RandomGraph graph = new RandomGraph(4, 160, 700, 4, 3, 0.5);
    private final List<RoundReport> done = new ArrayList<>();

    private static TrainerOptions options(int fanout, int batch, double dropout) {
        return new TrainerOptions(
                new ModelOptions("gcn", 2, 8, 1, Aggregator.MEAN, dropout),
                new SamplingOptions(List.of(fanout, fanout), batch, 1, 2),
                RATE,
                0,
                SEED,
                "cpu");
    }

    private ShardSource source(int k, int embeddings) throws IOException {
        VertexFiles all = graph.files(temp);
        ShapeOptions shape = ShapeOptions.FOUND.withEmbeddings(embeddings);
        VertexData data = VertexData.of(new VertexFiles(null, all.labels(), all.split()), FeatureScaling.NONE, shape);
        List<ShardInput> inputs =
                IntStream.range(0, k).mapToObj(shard -> graph.input(shard, k)).toList();
        return new FixedShards(inputs, PartitioningKind.VERTEX, data, shape);
    }

    private TrainingResult train(int k, TrainerOptions options, int epochs, @Nullable Path out) throws Exception {
        return train(k, WIDTH, options, epochs, out);
    }

    private TrainingResult train(int k, int width, TrainerOptions options, int epochs, @Nullable Path out)
            throws Exception {
        ShardSource source = source(k, width);
        done.clear();
        try (AveragedTraining training = new AveragedTraining(
                "test",
                new AveragingOptions(epochs, AverageEvery.gradients(), 1, Duration.ofMinutes(1), 0),
                source::latest,
                new LocalWorkers(
                        new SyncTrainers(
                                source,
                                source.shape(),
                                options,
                                new SyncOptions(0, width),
                                Files.createTempDirectory(temp, "scratch")),
                        1,
                        true),
                ModelState.initial(new GnnNetwork(options.model(), width, graph.classes).initialWeights(SEED))
                        .with(EmbeddingRows.none(SEED, width)),
                out == null ? null : new CheckpointFile(Files.createDirectories(out)),
                this)) {
            training.resume();
            return training.run();
        }
    }

    @Test
    void theLossesAreThoseOfADenseTable() throws Exception {
        train(1, options(SamplingOptions.ALL, SamplingOptions.ALL, 0), 40, null);
        DenseEmbeddings dense = new DenseEmbeddings(
                graph,
                new GnnNetwork(options(1, 1, 0).model(), WIDTH, graph.classes).initialWeights(SEED),
                WIDTH,
                SEED,
                RATE);
        for (RoundReport round : done) {
            double expected = dense.step();
            assertThat(round.work().loss()).isCloseTo(expected, within(1e-4 * expected));
        }
        assertThat(done.get(39).work().loss())
                .isLessThan(0.5 * done.get(0).work().loss());
        // The validation vertices were not trained on: what is known of them is where they are.
        assertThat(done.get(39).counts().accuracy(VertexSplit.VAL)).isGreaterThan(0.6);
    }

    @Test
    void aResumedTrainingIsTheSame() throws Exception {
        TrainerOptions sampled = options(4, 24, 0.3);
        Path whole = temp.resolve("whole");
        float[][] expected = train(3, sampled, 6, whole).weights();
        double loss = done.get(5).work().loss();
        assertThat(done.get(0).traffic().backwardSent()).isPositive();
        Path out = temp.resolve("out");
        train(3, sampled, 3, out);
        TrainingResult resumed = train(3, sampled, 6, out);
        assertThat(done).hasSize(3);
        assertThat(done.get(2).work().loss()).isEqualTo(loss);
        assertThat(resumed.weights()).isDeepEqualTo(expected);
        for (String name : List.of("embeddings-6.bin", "embeddings.bin")) {
            assertThat(out.resolve(name)).hasSameBinaryContentAs(whole.resolve(name));
        }
        assertThat(out.resolve("embeddings-4.bin")).doesNotExist();
        EmbeddingRows rows = new EmbeddingFiles(out).readBest().orElseThrow();
        assertThat(rows.vertices()).hasSizeGreaterThan(100);

        Files.delete(out.resolve("embeddings-6.bin"));
        assertThatThrownBy(() -> train(3, sampled, 7, out)).hasMessageContaining("embeddings-6.bin is missing");
    }

    @Test
    void anotherTableThanThatOfTheCheckpointIsRefused() throws Exception {
        TrainerOptions options = options(4, 24, 0);
        Path out = temp.resolve("out");
        train(2, options, 1, out);
        assertThatThrownBy(() -> train(2, 4, options, 2, out))
                .hasMessageContaining("embeddings-1.bin has embeddings of 8 numbers, but this training uses 4; give "
                        + "--embeddings 8");
        Path file = out.resolve("embeddings-1.bin");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(() -> train(2, options, 2, out))
                .hasMessageContaining("embeddings-1.bin is truncated; delete");
        bytes[4]++; // version
        Files.write(file, bytes);
        assertThatThrownBy(() -> train(2, options, 2, out))
                .hasMessageContaining("embeddings-1.bin has no embeddings that this version can read; delete");
        assertThat(done).isEmpty();
    }

    @Test
    void featuresAndEmbeddingsExcludeEachOther() throws Exception {
        VertexFiles files = graph.files(temp);
        assertThatThrownBy(() -> VertexData.of(files, FeatureScaling.NONE, ShapeOptions.FOUND.withEmbeddings(WIDTH)))
                .hasMessageContaining("--embeddings is for vertices without features");
        assertThatThrownBy(() -> source(1, 0)).hasMessageContaining("no features; give --features");
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
