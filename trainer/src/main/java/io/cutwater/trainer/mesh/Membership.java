package io.cutwater.trainer.mesh;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.shard.ShardCut;
import java.util.List;
import java.util.Map;

/**
 * The workers of one attempt at a request that needs all shards at the same time.
 *
 * @param workers name of the worker of each shard
 * @param addresses addresses of these workers by name
 * @param linkId see {@link FrameChannel#linkId}
 */
public record Membership(
        GroupKey key, ShardCut cut, List<String> workers, Map<String, PeerAddress> addresses, long linkId) {
    public Membership {
        workers = List.copyOf(workers);
        addresses = Map.copyOf(addresses);
    }
}
