package io.cutwater.trainer.sampler;

import io.cutwater.trainer.shard.DenseFeatures;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.SparseFeatures;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes mini-batches of one shard. Used by one thread at a time. */
final class BatchMaker {
    private final ShardStore store;
    private final List<Integer> fanouts;
    private final BufferPool buffers;
    private final NeighbourSampler sampler;

    BatchMaker(ShardStore store, List<Integer> fanouts, BufferPool buffers) {
        this.store = store;
        this.fanouts = fanouts;
        this.buffers = buffers;
        sampler = new NeighbourSampler(store);
    }

    /** A mini-batch of seeds[from] to seeds[to − 1]; the same random seed gives the same one. */
    MiniBatch make(int[] seeds, int from, int to, long randomSeed) {
        SplittableRandom random = new SplittableRandom(randomSeed);
        sampler.begin(seeds, from, to);
        Hop[] hops = new Hop[fanouts.size()];
        for (int i = 0; i < hops.length; i++) {
            hops[hops.length - 1 - i] = sampler.hop(fanouts.get(i), random);
        }
        int[] labels = new int[to - from];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = store.label(seeds[from + i]);
        }
        return new MiniBatch(random.nextLong(), List.of(hops), inputs(), labels);
    }

    private InputRows inputs() {
        if (store.features() instanceof SparseFeatures features) {
            return sparseInputs(features);
        }
        DenseFeatures features = (DenseFeatures) store.features();
        int rows = sampler.vertexCount();
        ByteBuffer bytes = buffers.take((long) rows * features.columns() * Float.BYTES);
        FloatBuffer values = bytes.asFloatBuffer();
        for (int row = 0; row < rows; row++) {
            features.copyRow(sampler.vertex(row), values);
        }
        return new InputRows.Dense(rows, features.columns(), bytes);
    }

    private InputRows sparseInputs(SparseFeatures features) {
        int rows = sampler.vertexCount();
        int[] offsets = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            int vertex = sampler.vertex(row);
            offsets[row + 1] = Math.toIntExact(offsets[row] + features.begin(vertex + 1) - features.begin(vertex));
        }
        int[] indices = new int[offsets[rows]];
        float[] values = new float[offsets[rows]];
        for (int row = 0; row < rows; row++) {
            long begin = features.begin(sampler.vertex(row)) - offsets[row];
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                indices[i] = features.column(begin + i);
                values[i] = features.value(begin + i);
            }
        }
        return new InputRows.Sparse(rows, features.columns(), offsets, indices, values);
    }

    /** The same numbers in an order that the seed decides. */
    static int[] shuffled(int[] numbers, long randomSeed) {
        int[] shuffled = Arrays.copyOf(numbers, numbers.length);
        SplittableRandom random = new SplittableRandom(randomSeed);
        for (int i = shuffled.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = swapped;
        }
        return shuffled;
    }
}
