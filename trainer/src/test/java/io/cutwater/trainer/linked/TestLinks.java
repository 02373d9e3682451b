package io.cutwater.trainer.linked;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.shard.ShardStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shards linked by threads of this process. */
public final class TestLinks {
    private TestLinks() {}

    /** A part of a protocol that all shards run at the same time. */
    @FunctionalInterface
    public interface Task<T> {
        T run(int shard) throws Exception;
    }

    /** Runs a task for all shards at the same time; the first failure makes the group fail. */
    public static <T> List<T> together(int shards, FrameGroup group, Task<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(shards);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int each = 0; each < shards; each++) {
                int shard = each;
                running.add(threads.submit(() -> {
                    try {
                        return task.run(shard);
                    } catch (Exception e) {
                        group.fail(String.valueOf(e.getMessage()));
                        throw e;
                    }
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) {
                results.add(each.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Links shards, which answer each other's questions. */
    public static List<LinkedShard> link(List<ShardStore> stores, PartitioningKind kind) throws Exception {
        FrameGroup group = FrameGroup.ofThisProcess(stores.size());
        List<LinkedShard> linked = together(
                stores.size(),
                group,
                shard -> LinkedShard.link(group.channel(shard), stores.get(shard), kind, 1, null));
        for (LinkedShard shard : linked) {
            shard.continueIn(shard.channel(), new GraphAnswers(shard));
        }
        return linked;
    }
}
