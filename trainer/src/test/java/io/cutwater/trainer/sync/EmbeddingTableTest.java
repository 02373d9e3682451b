package io.cutwater.trainer.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.linked.Address;
import io.cutwater.trainer.linked.GraphAnswers;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.TestLinks;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** The learned rows of linked shards. */
    private final class Tables {
        private final FrameGroup group;
        private final List<LinkedShard> shards;
        private final List<ShardEmbeddings> rows = new ArrayList<>();

        Tables(int k, EmbeddingRows before) throws Exception {
            ShardStore[] stores =
                    new RandomGraph(1, VERTICES, 120, 4, 2, 0.5).shards(Files.createTempDirectory(folder, "shards"), k);
            shards = TestLinks.link(List.of(stores), PartitioningKind.VERTEX);
            group = FrameGroup.ofThisProcess(k);
            for (LinkedShard shard : shards) {
                ShardEmbeddings of = new ShardEmbeddings(shard, before, RATE, new WorkCounters());
                GraphAnswers answers = new GraphAnswers(shard);
                answers.offer(GraphLayers.EMBEDDINGS, of);
                shard.continueIn(group.channel(shard.rank()), answers);
                rows.add(of);
            }
        }

        /** Returns the address of a vertex: shard v mod k owns it, in ascending order. */
        long address(int vertex) {
            return Address.of(vertex % shards.size(), vertex / shards.size());
        }

        float[] read(int asker, int... vertices) throws Exception {
            return rows.get(asker)
                    .read(Arrays.stream(vertices).mapToLong(this::address).toArray());
        }

        void update() throws Exception {
            TestLinks.together(shards.size(), group, shard -> {
                rows.get(shard).update();
                return shard;
            });
        }

        List<EmbeddingRows> changed() {
            return rows.stream().map(ShardEmbeddings::takeChanged).toList();
        }
    }

    @Test
    void theRowsAreThoseOfADenseTable() throws Exception {
        Dense dense = new Dense();
        Tables sparse = new Tables(3, EmbeddingRows.none(SEED, WIDTH));
        train(sparse, dense, 0, 30);
        EmbeddingRows first = EmbeddingRows.none(SEED, WIDTH).with(sparse.changed());
        train(sparse, dense, 30, 60);
        requireEqual(sparse, dense);

        EmbeddingRows saved = first.with(sparse.changed());
        assertThat(saved.vertices()).isSorted().doesNotHaveDuplicates().hasSizeBetween(VERTICES / 2, VERTICES - 2);
        assertThat(sparse.changed())
                .allSatisfy(none -> assertThat(none.vertices()).isEmpty());
        for (int k : new int[] {1, 5}) {
            requireEqual(new Tables(k, saved), dense);
        }
        Tables restored = new Tables(5, saved);
        train(restored, dense, 60, 90);
        requireEqual(restored, dense);
        EmbeddingRows again = saved.with(restored.changed());
        requireEqual(new Tables(2, again), dense);
    }

    /** Trains random rows below the last two, of which row 0 is left out for a while. */
    private static void train(Tables sparse, Dense dense, int from, int to) throws Exception {
        for (int step = from; step < to; step++) {
            SplittableRandom random = new SplittableRandom(step);
            double[][] sums = new double[VERTICES][WIDTH];
            double[] weights = new double[VERTICES];
            for (int shard = 0; shard < sparse.shards.size(); shard++) {
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
                if (seeds > 0) {
                    sparse.rows
                            .get(shard)
                            .announce(
                                    Arrays.stream(vertices)
                                            .mapToLong(sparse::address)
                                            .toArray(),
                                    gradients,
                                    seeds);
                }
            }
            sparse.update();
            dense.step(sums, weights);
        }
    }

    private static void requireEqual(Tables sparse, Dense dense) throws Exception {
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            float[] row = sparse.read(vertex % sparse.shards.size(), vertex);
            for (int i = 0; i < WIDTH; i++) {
                assertThat((double) row[i]).isCloseTo(dense.values[vertex][i], within(1e-6));
            }
        }
    }

    @Test
    void aRowWithoutAGradientKeepsItsBytes() throws Exception {
        Tables rows = new Tables(2, EmbeddingRows.none(SEED, WIDTH));
        train(rows, new Dense(), 0, 5);
        float[] before = rows.read(0, 0, VERTICES - 1);
        train(rows, new Dense(), 5, 1005);
        assertThat(rows.read(1, 0, VERTICES - 1)).isEqualTo(before);
        float[] initial = new float[2 * WIDTH];
        EmbeddingRows.none(SEED, WIDTH).copyRow(VERTICES - 1, initial, WIDTH);
        assertThat(Arrays.copyOfRange(before, WIDTH, 2 * WIDTH))
                .isEqualTo(Arrays.copyOfRange(initial, WIDTH, 2 * WIDTH));
    }
}
