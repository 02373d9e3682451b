package io.cutwater.trainer.mesh;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.shard.ShardCut;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The workers of one attempt at a request that needs all shards at the same time.
 *
 * @param workers name of the worker of each shard
 * @param samplers name of the sampler of each shard; empty if workers make their mini-batches
 * @param addresses addresses of these workers and samplers by name
 * @param linkId see {@link FrameChannel#linkId}
 */
public record Membership(
        GroupKey key,
        ShardCut cut,
        List<String> workers,
        List<String> samplers,
        Map<String, PeerAddress> addresses,
        long linkId) {
    public Membership {
        workers = List.copyOf(workers);
        samplers = List.copyOf(samplers);
        addresses = Map.copyOf(addresses);
    }

    /** Creates the membership of workers that make their mini-batches. */
    public Membership(
            GroupKey key, ShardCut cut, List<String> workers, Map<String, PeerAddress> addresses, long linkId) {
        this(key, cut, workers, List.of(), addresses, linkId);
    }

    /** Returns the number of ends, see {@link io.cutwater.trainer.channel.FrameGroup}. */
    int ends() {
        return workers.size() + samplers.size();
    }

    /** Returns the process at an end. */
    String at(int end) {
        return end < workers.size() ? workers.get(end) : samplers.get(end - workers.size());
    }

    /** Returns the name of each shard's worker with its sampler; none without samplers. */
    List<String> teams() {
        return IntStream.range(0, samplers.size())
                .mapToObj(shard -> "%s and %s".formatted(workers.get(shard), samplers.get(shard)))
                .toList();
    }

    boolean has(String process) {
        return workers.contains(process) || samplers.contains(process);
    }
}
