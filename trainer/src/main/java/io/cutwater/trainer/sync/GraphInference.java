package io.cutwater.trainer.sync;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.linked.GraphAnswers;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.output.EmbeddingSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.Scorer;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;

/**
 * Computes a trained network for the vertices of a shard with all their neighbours in the whole graph, together with
 * the other shards.
 */
public final class GraphInference implements EmbeddingSource {
    private static final long ID = 0; // all shards are opened by one caller

    private final GnnNetwork network;
    private final GraphLayers layers;
    private final GraphScorer scorer;

    private GraphInference(GnnNetwork network, GraphLayers layers, GraphScorer scorer) {
        this.network = network;
        this.layers = layers;
        this.scorer = scorer;
    }

    /**
     * Links a shard with the others.
     *
     * @param scratch folder for intermediate results of this shard alone
     * @throws IOException if the shards contradict each other; the message is meant for users
     */
    public static GraphInference link(
            FrameChannel others, ShardStore store, PartitioningKind kind, GnnNetwork network, Path scratch)
            throws IOException, InterruptedException {
        LinkedShard shard = LinkedShard.link(others, store, kind, ID, null);
        GraphAnswers answers = new GraphAnswers(shard);
        GraphLayers layers = new GraphLayers(shard, answers, network, new RowCache(0), 0, scratch);
        shard.continueIn(others, answers);
        return new GraphInference(network, layers, new GraphScorer(layers, network, shard::channel));
    }

    /** Returns the source of a scorer that all shards run at the same time. */
    public Scorer.Source scorer() {
        return Scorer.layerwise(network, scorer);
    }

    @Override
    public void embedding(int local, FloatBuffer into) {
        layers.result(network.layerCount() - 2, local, into);
    }
}
