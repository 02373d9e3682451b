package io.cutwater.trainer.sampler;

import io.cutwater.trainer.shard.ShardStore;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Creates the mini-batches of one shard from its store. */
final class BatchMaker implements BatchQueue.Maker {
    private final ShardStore store;
    private final List<Integer> fanouts;
    private final RowGatherer rows;
    private final NeighbourSampler sampler;

    BatchMaker(ShardStore store, List<Integer> fanouts, RowGatherer rows) {
        this.store = store;
        this.fanouts = fanouts;
        this.rows = rows;
        sampler = new NeighbourSampler(store);
    }

    @Override
    public MiniBatch make(int[] seeds, int from, int to, long randomSeed) {
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
        return new MiniBatch(random.nextLong(), List.of(hops), rows.gather(store.features(), sampler), labels);
    }

    /** Returns a copy shuffled by the seed. */
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
