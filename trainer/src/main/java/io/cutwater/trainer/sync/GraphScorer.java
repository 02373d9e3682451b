package io.cutwater.trainer.sync;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.training.Scorer;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Computes a network for the vertices of a shard with all their neighbours in the whole graph, layer by layer and at
 * the same time as the other shards: each waits for the results of all before the next layer.
 */
public final class GraphScorer implements Scorer.Layerwise {
    private static final float[] NOTHING = {};

    private final LayerData data;
    private final GnnNetwork network;
    private final Supplier<FrameChannel> channel;

    /** @param channel returns the current channels to the shards that compute at the same time */
    public GraphScorer(LayerData data, GnnNetwork network, Supplier<FrameChannel> channel) {
        this.data = data;
        this.network = network;
        this.channel = channel;
    }

    @Override
    public void run(Scorer.Layers layers, Scorer.ScoreConsumer consumer) throws IOException {
        try {
            AllReduce barrier = new AllReduce(channel.get());
            int last = network.layerCount() - 1;
            for (int layer = 0; layer <= last; layer++) {
                int count = data.count(layer == last);
                for (int from = 0; from < count; ) {
                    Chunk chunk = data.read(layer, from);
                    float[] rows = layers.compute(layer, chunk.hop(), chunk.inputs());
                    if (layer == last) {
                        consumer.accept(from, rows);
                    } else {
                        data.keep(layer, from, rows);
                    }
                    from = chunk.to();
                    data.giveBack(chunk);
                }
                if (layer < last) {
                    data.awaitKept();
                    barrier.mean(NOTHING, 0, false);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the test was stopped", e);
        }
    }
}
