package io.cutwater.trainer.training;

import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open trainers of a thread, all of one cut. Trainers of the previous cut are closed before the first new one is
 * created, so that both never need memory at the same time.
 */
public final class OpenShards implements AutoCloseable {
    private final ShardTrainers trainers;
    private final Map<Integer, ShardTrainer> open = new HashMap<>();
    private @Nullable ShardCut cut;

    public OpenShards(ShardTrainers trainers) {
        this.trainers = trainers;
    }

    /** Closes the trainers of any other cut. */
    public void moveTo(ShardCut next) {
        if (!next.equals(cut)) {
            close();
            cut = next;
        }
    }

    /** Closes the trainers of all but some shards. */
    public void keepOnly(Collection<Integer> shards) {
        open.entrySet().removeIf(entry -> {
            boolean isGone = !shards.contains(entry.getKey());
            if (isGone) {
                entry.getValue().close();
            }
            return isGone;
        });
    }

    /** Returns the trainer of a shard, which is created at the first request for a cut. */
    public ShardTrainer of(int shard, ShardCut at) throws IOException, InterruptedException {
        moveTo(at);
        ShardTrainer trainer = open.get(shard);
        if (trainer == null) {
            trainer = trainers.open(shard, at);
            open.put(shard, trainer);
        }
        return trainer;
    }

    @Override
    public void close() {
        open.values().forEach(ShardTrainer::close);
        open.clear();
    }
}
