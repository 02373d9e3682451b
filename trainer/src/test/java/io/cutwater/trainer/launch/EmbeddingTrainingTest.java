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
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.sync.SyncOptions;
import io.cutwater.trainer.sync.SyncWorkforce;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
        ShardSource source = source(k, WIDTH);
        done.clear();
        try (AveragedTraining training = new AveragedTraining(
                "test",
                new AveragingOptions(epochs, AverageEvery.gradients(), 1, Duration.ofMinutes(1), 0),
                source::latest,
                new SyncWorkforce(
                        source,
                        source.shape(),
                        options,
                        new SyncOptions(0, WIDTH),
                        1,
                        Files.createTempDirectory(temp, "scratch")),
                new GnnNetwork(options.model(), WIDTH, graph.classes).initialWeights(SEED),
                out == null ? null : new CheckpointFile(Files.createDirectories(out)),
                this)) {
            training.resume();
            return training.run();
        }
    }

    @Test
    void theLossesAreThoseOfADenseTable() throws Exception {
        train(1, options(SamplingOptions.ALL, SamplingOptions.ALL, 0), 40, null);
        Dense dense = new Dense();
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
    void featuresAndEmbeddingsExcludeEachOther() throws Exception {
        VertexFiles files = graph.files(temp);
        assertThatThrownBy(() -> VertexData.of(files, FeatureScaling.NONE, ShapeOptions.FOUND.withEmbeddings(WIDTH)))
                .hasMessageContaining("--embeddings is for vertices without features");
        assertThatThrownBy(() -> source(1, 0)).hasMessageContaining("no features; give --features");
    }

    /** GCN of two layers with learned inputs: dense matrices of doubles, and Adam on all of them. */
    private final class Dense {
        private final int vertices = graph.vertices;
        private final double[][] sum = new double[vertices][vertices];
        private final double[][][] parameters = new double[5][][]; // inputs, W1, b1, W2, b2
        private final double[][][] means = new double[5][][];
        private final double[][][] variances = new double[5][][];
        private int steps;

        Dense() {
            double[] degrees = new double[vertices];
            for (long[] edge : graph.edges) {
                if (edge[0] != edge[1]) {
                    sum[(int) edge[0]][(int) edge[1]]++;
                    sum[(int) edge[1]][(int) edge[0]]++;
                    degrees[(int) edge[0]]++;
                    degrees[(int) edge[1]]++;
                }
            }
            for (int i = 0; i < vertices; i++) {
                sum[i][i] = 1;
                for (int j = 0; j < vertices; j++) {
                    sum[i][j] /= Math.sqrt((degrees[i] + 1) * (degrees[j] + 1));
                }
            }
            float[][] initial = new GnnNetwork(options(1, 1, 0).model(), WIDTH, graph.classes).initialWeights(SEED);
            parameters[0] = new double[vertices][WIDTH];
            float[] row = new float[WIDTH];
            for (int vertex = 0; vertex < vertices; vertex++) {
                EmbeddingRows.none(SEED, WIDTH).copyRow(vertex, row, 0);
                for (int i = 0; i < WIDTH; i++) {
                    parameters[0][vertex][i] = row[i];
                }
            }
            int[] rows = {vertices, WIDTH, 1, 8, 1};
            for (int i = 0; i < 5; i++) {
                int columns = i == 0 ? WIDTH : initial[i - 1].length / rows[i];
                parameters[i] = i == 0 ? parameters[0] : new double[rows[i]][columns];
                for (int j = 0; i > 0 && j < initial[i - 1].length; j++) {
                    parameters[i][j / columns][j % columns] = initial[i - 1][j];
                }
                means[i] = new double[rows[i]][columns];
                variances[i] = new double[rows[i]][columns];
            }
        }

        double step() {
            double[][] hidden = add(product(sum, product(parameters[0], parameters[1])), parameters[2][0]);
            double[][] active = new double[vertices][8];
            for (int i = 0; i < vertices; i++) {
                for (int j = 0; j < 8; j++) {
                    active[i][j] = Math.max(0, hidden[i][j]);
                }
            }
            double[][] scores = add(product(sum, product(active, parameters[3])), parameters[4][0]);
            double[][] ofScores = new double[vertices][graph.classes];
            double loss = 0;
            double trained = 0;
            for (VertexSplit split : graph.splits) {
                trained += split == VertexSplit.TRAIN ? 1 : 0;
            }
            for (int i = 0; i < vertices; i++) {
                double total = 0;
                for (double score : scores[i]) {
                    total += Math.exp(score);
                }
                for (int j = 0; graph.splits[i] == VertexSplit.TRAIN && j < graph.classes; j++) {
                    double share = Math.exp(scores[i][j]) / total;
                    ofScores[i][j] = (share - (j == graph.labels[i] ? 1 : 0)) / trained;
                    loss -= j == graph.labels[i] ? Math.log(share) / trained : 0;
                }
            }
            double[][] outer = product(sum, ofScores); // the sum is symmetric
            double[][] ofHidden = product(outer, transposed(parameters[3]));
            for (int i = 0; i < vertices; i++) {
                for (int j = 0; j < 8; j++) {
                    ofHidden[i][j] *= hidden[i][j] > 0 ? 1 : 0;
                }
            }
            double[][] inner = product(sum, ofHidden);
            double[][][] gradients = {
                product(inner, transposed(parameters[1])),
                product(transposed(parameters[0]), inner),
                columnSums(ofHidden),
                product(transposed(active), outer),
                columnSums(ofScores)
            };
            steps++;
            for (int p = 0; p < 5; p++) {
                for (int i = 0; i < gradients[p].length; i++) {
                    for (int j = 0; j < gradients[p][i].length; j++) {
                        double gradient = gradients[p][i][j];
                        means[p][i][j] = 0.9 * means[p][i][j] + 0.1 * gradient;
                        variances[p][i][j] = 0.999 * variances[p][i][j] + 0.001 * gradient * gradient;
                        double mean = means[p][i][j] / (1 - Math.pow(0.9, steps));
                        double variance = variances[p][i][j] / (1 - Math.pow(0.999, steps));
                        parameters[p][i][j] -= RATE * mean / (Math.sqrt(variance) + 1e-8);
                    }
                }
            }
            return loss;
        }

        private static double[][] add(double[][] rows, double[] bias) {
            for (double[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    row[i] += bias[i];
                }
            }
            return rows;
        }

        private static double[][] columnSums(double[][] rows) {
            return new double[][] {add(new double[1][rows[0].length], sums(rows))[0]};
        }

        private static double[] sums(double[][] rows) {
            double[] sums = new double[rows[0].length];
            for (double[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    sums[i] += row[i];
                }
            }
            return sums;
        }

        private static double[][] transposed(double[][] values) {
            double[][] result = new double[values[0].length][values.length];
            for (int i = 0; i < values.length; i++) {
                for (int j = 0; j < values[i].length; j++) {
                    result[j][i] = values[i][j];
                }
            }
            return result;
        }

        private static double[][] product(double[][] left, double[][] right) {
            double[][] result = new double[left.length][right[0].length];
            for (int i = 0; i < left.length; i++) {
                for (int k = 0; k < right.length; k++) {
                    for (int j = 0; left[i][k] != 0 && j < right[k].length; j++) {
                        result[i][j] += left[i][k] * right[k][j];
                    }
                }
            }
            return result;
        }
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
