package io.cutwater.trainer.mesh;

import io.cutwater.trainer.shard.ShardCut;
import java.util.List;
import java.util.Map;

/**
 * The workers of one attempt at a round of shared steps.
 *
 * @param workers name of the worker of each shard
 * @param addresses addresses of these workers by name
 */
public record Membership(GroupKey key, ShardCut cut, List<String> workers, Map<String, PeerAddress> addresses) {
    public Membership {
        workers = List.copyOf(workers);
        addresses = Map.copyOf(addresses);
    }
}
