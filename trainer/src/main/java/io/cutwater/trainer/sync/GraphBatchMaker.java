package io.cutwater.trainer.sync;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.linked.Address;
import io.cutwater.trainer.linked.GraphReader;
import io.cutwater.trainer.linked.GraphSampler;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.linked.TrainingSlice;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;

/** Creates a shard's mini-batches from the whole graph. */
public final class GraphBatchMaker implements BatchQueue.Maker {
    private final TrainingSlice slice;
    private final int rank;
    private final List<Integer> fanouts;
    private final long salt;
    private final GraphReader reader;
    private final GraphSampler sampler;
    private final SampledFeatures features;
    private final WorkCounters counters;
    private final int embeddings;

    /**
     * Creates a maker. Seeds are positions in the slice of the shard.
     *
     * @param salt added to the seed of a mini-batch's dropout, see {@link BatchQueue}
     * @param embeddings values of a learned row; 0 if vertices have features
     */
    public GraphBatchMaker(
            LinkedShard shard,
            List<Integer> fanouts,
            long salt,
            RowCache cache,
            WorkCounters counters,
            int embeddings,
            BufferPool buffers) {
        slice = shard.slice();
        rank = shard.rank();
        this.fanouts = fanouts;
        this.salt = salt;
        this.counters = counters;
        this.embeddings = embeddings;
        reader = new GraphReader(shard);
        sampler = new GraphSampler(reader);
        features = new SampledFeatures(shard, reader, cache, buffers);
    }

    @Override
    public MiniBatch make(int[] seeds, int from, int to, long randomSeed) {
        try {
            return mini(seeds, from, to, randomSeed);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("it was stopped", e);
        }
    }

    private MiniBatch mini(int[] seeds, int from, int to, long randomSeed) throws IOException, InterruptedException {
        takeTraffic(); // of a mini-batch that failed
        Sample sample = sample(seeds, from, to, randomSeed);
        InputRows inputs = embeddings > 0
                ? new InputRows.Learned(embeddings, sample.vertices())
                : features.read(sample.vertices());
        counters.add(takeTraffic(), sample.locality());
        return new MiniBatch(sample.randomSeed(), sample.hops(), inputs, sample.labels());
    }

    /**
     * A mini-batch without its inputs.
     *
     * @param vertices addresses of the vertices whose rows are the inputs
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Sample(long randomSeed, List<Hop> hops, int[] labels, long[] vertices, Locality locality) {}

    /** Samples a mini-batch, which depends on the seeds and the random seed only. */
    public Sample sample(int[] seeds, int from, int to, long randomSeed) throws IOException, InterruptedException {
        sampler.begin();
        int[] labels = new int[to - from];
        int localSeeds = 0;
        for (int i = 0; i < labels.length; i++) {
            int seed = seeds[from + i];
            sampler.target(slice.vertices()[seed], slice.degrees()[seed]);
            labels[i] = slice.labels()[seed];
            localSeeds += Address.shard(slice.vertices()[seed]) == rank ? 1 : 0;
        }
        Hop[] hops = new Hop[fanouts.size()];
        for (int i = 0; i < hops.length; i++) {
            hops[hops.length - 1 - i] = sampler.hop(fanouts.get(i), Hashing.mix64(randomSeed, i));
        }
        long[] vertices = sampler.vertices();
        return new Sample(
                new SplittableRandom(randomSeed + salt).nextLong(),
                List.of(hops),
                labels,
                vertices,
                new Locality(labels.length, localSeeds, vertices.length, features.localRows(vertices)));
    }

    /** Reads the features of vertices, in order. */
    public InputRows read(long[] vertices) throws IOException, InterruptedException {
        return features.read(vertices);
    }

    /** Returns what was read from other shards, and what was in the cache, since the last call. */
    public Traffic takeTraffic() {
        return new Traffic(reader.takeBytes(), features.takeAvoided(), 0, 0, 0).withMapped(reader.takeMapped());
    }
}
