package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LearnedInputs;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Learned rows in the tables of shards are those of one dense table of doubles. */
class EmbeddingTableTest {
    private static final int VERTICES = 40;
    private static final int WIDTH = 6;
    private static final double RATE = 0.02;
    private static final long SEED = 11;

    @TempDir
    private Path folder;

    /** Adam as in the paper, for all vertices, with a counter for each. */
    private static final class Dense {
        private final double[][] values = new double[VERTICES][WIDTH];
        private final double[][] means = new double[VERTICES][WIDTH];
        private final double[][] variances = new double[VERTICES][WIDTH];
        private final int[] steps = new int[VERTICES];

        Dense() {
            float[] row = new float[WIDTH];
            for (int vertex = 0; vertex < VERTICES; vertex++) {
                EmbeddingRows.none(SEED, WIDTH).copyRow(vertex, row, 0);
                for (int i = 0; i < WIDTH; i++) {
                    values[vertex][i] = row[i];
                }
            }
        }

        void step(double[][] gradients, double[] weights) {
            for (int vertex = 0; vertex < VERTICES; vertex++) {
                if (weights[vertex] > 0) {
                    steps[vertex]++;
                    for (int i = 0; i < WIDTH; i++) {
                        double gradient = gradients[vertex][i] / weights[vertex];
                        means[vertex][i] = 0.9 * means[vertex][i] + 0.1 * gradient;
                        variances[vertex][i] = 0.999 * variances[vertex][i] + 0.001 * gradient * gradient;
                        double mean = means[vertex][i] / (1 - Math.pow(0.9, steps[vertex]));
                        double variance = variances[vertex][i] / (1 - Math.pow(0.999, steps[vertex]));
                        values[vertex][i] -= RATE * mean / (Math.sqrt(variance) + 1e-8);
                    }
                }
            }
        }
    }

    private LinkedShards shards(int k) throws Exception {
        ShardStore[] stores =
                new RandomGraph(1, VERTICES, 120, 4, 2, 0.5).shards(Files.createTempDirectory(folder, "shards"), k);
        return new LinkedShards(List.of(stores), PartitioningKind.VERTEX);
    }

    private static SharedEmbeddings embeddings(LinkedShards shards, EmbeddingRows before) {
        WorkCounters[] counters = new WorkCounters[shards.count()];
        Arrays.setAll(counters, shard -> new WorkCounters());
        return new SharedEmbeddings(shards, before, RATE, counters);
    }

    /** Returns the address of a vertex: shard v mod k owns it, in ascending order. */
    private static long address(LinkedShards shards, int vertex) {
        return LinkedShards.address(vertex % shards.count(), vertex / shards.count());
    }

    @Test
    void theRowsAreThoseOfADenseTable() throws Exception {
        Dense dense = new Dense();
        LinkedShards shards = shards(3);
        SharedEmbeddings sparse = embeddings(shards, EmbeddingRows.none(SEED, WIDTH));
        train(shards, sparse, dense, 0, 60);
        requireEqual(shards, sparse, dense);

        EmbeddingRows saved = sparse.rows();
        assertThat(saved.vertices()).isSorted().hasSizeBetween(VERTICES / 2, VERTICES - 2);
        for (int k : new int[] {1, 5}) {
            LinkedShards others = shards(k);
            SharedEmbeddings restored = embeddings(others, saved);
            requireEqual(others, restored, dense);
            EmbeddingRows again = restored.rows();
            assertThat(again.vertices()).isEqualTo(saved.vertices());
            assertThat(again.variances()).isEqualTo(saved.variances());
        }
        LinkedShards others = shards(5);
        SharedEmbeddings restored = embeddings(others, saved);
        train(others, restored, dense, 60, 90);
        requireEqual(others, restored, dense);
    }

    /** Trains random rows below the last two, of which row 0 is left out for a while. */
    private static void train(LinkedShards shards, SharedEmbeddings sparse, Dense dense, int from, int to) {
        for (int step = from; step < to; step++) {
            SplittableRandom random = new SplittableRandom(step);
            double[][] sums = new double[VERTICES][WIDTH];
            double[] weights = new double[VERTICES];
            for (int shard = 0; shard < shards.count(); shard++) {
                int seeds = shard == 1 ? 0 : 3 + shard;
                int first = step < 5 ? 0 : 1;
                int[] vertices = seeds == 0
                        ? new int[0]
                        : random.ints(4, first, VERTICES - 2).distinct().toArray();
                float[] gradients = new float[vertices.length * WIDTH];
                for (int i = 0; i < gradients.length; i++) {
                    gradients[i] = (float) random.nextDouble(-1, 1);
                    sums[vertices[i / WIDTH]][i % WIDTH] += (double) seeds * gradients[i];
                }
                Arrays.stream(vertices).forEach(vertex -> weights[vertex] += seeds);
                LearnedInputs inputs = sparse.of(shard);
                inputs.announce(
                        Arrays.stream(vertices)
                                .mapToLong(vertex -> address(shards, vertex))
                                .toArray(),
                        gradients,
                        seeds);
            }
            for (int shard = 0; shard < shards.count(); shard++) {
                sparse.of(shard).update();
            }
            dense.step(sums, weights);
        }
    }

    private static void requireEqual(LinkedShards shards, SharedEmbeddings sparse, Dense dense) {
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            FloatBuffer row = FloatBuffer.allocate(WIDTH);
            sparse.read(address(shards, vertex), row);
            for (int i = 0; i < WIDTH; i++) {
                assertThat((double) row.get(i)).isCloseTo(dense.values[vertex][i], within(1e-6));
            }
        }
    }

    @Test
    void aRowWithoutAGradientKeepsItsBytes() throws Exception {
        LinkedShards shards = shards(2);
        SharedEmbeddings rows = embeddings(shards, EmbeddingRows.none(SEED, WIDTH));
        train(shards, rows, new Dense(), 0, 5);
        float[] before = rows.of(0).read(new long[] {address(shards, 0), address(shards, VERTICES - 1)});
        train(shards, rows, new Dense(), 5, 1005);
        assertThat(rows.of(1).read(new long[] {address(shards, 0), address(shards, VERTICES - 1)}))
                .isEqualTo(before);
        float[] initial = new float[2 * WIDTH];
        EmbeddingRows.none(SEED, WIDTH).copyRow(VERTICES - 1, initial, WIDTH);
        assertThat(Arrays.copyOfRange(before, WIDTH, 2 * WIDTH))
                .isEqualTo(Arrays.copyOfRange(initial, WIDTH, 2 * WIDTH));
    }
}
