package io.cutwater.trainer.sync;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import java.util.List;
import java.util.SplittableRandom;

/** Creates a shard's mini-batches from the whole graph. */
final class GraphBatchMaker implements BatchQueue.Maker {
    private final LinkedShards shards;
    private final int rank;
    private final long[] slice;
    private final List<Integer> fanouts;
    private final long salt;
    private final GraphSampler sampler;
    private final SampledFeatures features;
    private final WorkCounters counters;
    private final int embeddings;

    /**
     * Creates a maker.
     *
     * @param slice training vertices of the shard; seeds are positions in it
     * @param salt added to the seed of a mini-batch's dropout, see {@link BatchQueue}
     * @param embeddings values of a learned row; 0 if vertices have features
     */
    GraphBatchMaker(
            LinkedShards shards,
            int rank,
            long[] slice,
            List<Integer> fanouts,
            long salt,
            RecentRows recent,
            WorkCounters counters,
            int embeddings,
            BufferPool buffers) {
        this.shards = shards;
        this.rank = rank;
        this.slice = slice;
        this.fanouts = fanouts;
        this.salt = salt;
        this.counters = counters;
        this.embeddings = embeddings;
        sampler = new GraphSampler(shards, rank);
        features = new SampledFeatures(shards, rank, recent, buffers);
    }

    @Override
    public MiniBatch make(int[] seeds, int from, int to, long randomSeed) {
        sampler.begin();
        int[] labels = new int[to - from];
        int localSeeds = 0;
        for (int i = 0; i < labels.length; i++) {
            long vertex = slice[seeds[from + i]];
            sampler.target(vertex);
            labels[i] = shards.store(LinkedShards.shard(vertex)).label(LinkedShards.local(vertex));
            localSeeds += LinkedShards.shard(vertex) == rank ? 1 : 0;
        }
        Hop[] hops = new Hop[fanouts.size()];
        for (int i = 0; i < hops.length; i++) {
            hops[hops.length - 1 - i] = sampler.hop(fanouts.get(i), Hashing.mix64(randomSeed, i));
        }
        long rows = features.rows();
        long localRows = features.localRows();
        long sent = features.sent();
        long avoided = features.avoided();
        InputRows inputs =
                embeddings > 0 ? new InputRows.Learned(embeddings, sampler.vertices()) : features.read(sampler);
        counters.add(
                new Traffic(sampler.takeBytes() + features.sent() - sent, features.avoided() - avoided, 0, 0, 0),
                new Locality(labels.length, localSeeds, features.rows() - rows, features.localRows() - localRows));
        return new MiniBatch(new SplittableRandom(randomSeed + salt).nextLong(), List.of(hops), inputs, labels);
    }
}
