package io.cutwater.trainer.distributed;

import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.OpenShards;
import io.cutwater.trainer.training.ShardThread;
import io.cutwater.trainer.training.ShardTrainers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a worker, each a thread with shards of its own. A shard keeps its lane as long as the cut is the same.
 * Used by one thread.
 */
final class WorkerLanes {
    private final String worker;
    private final ShardTrainers trainers;
    private final List<ShardThread> lanes = new ArrayList<>();
    /** Position of the lane that a shard is assigned to. */
    private final Map<Integer, Integer> laneOf = new HashMap<>();

    private @Nullable ShardCut cut;

    /** A task of one lane for its shards. */
    @FunctionalInterface
    interface Task {
        void run(List<Integer> own, OpenShards shards) throws Exception;
    }

    /**
     * Creates empty lanes.
     *
     * @param worker name of the worker
     * @param count number of lanes, at least 1
     */
    WorkerLanes(String worker, ShardTrainers trainers, int count) {
        this.worker = worker;
        this.trainers = trainers;
        while (lanes.size() < count) {
            addLane();
        }
    }

    private void addLane() {
        lanes.add(new ShardThread("trainer-%s-%d".formatted(worker, lanes.size()), trainers));
    }

    /**
     * Runs a task in each lane that has one of the given shards. After a change of the cut, or if all shards work
     * together, it also runs in the other lanes, without shards, because they release the ones that others have now.
     *
     * @param own shards of the cut that the worker has to work on
     * @param isTogether whether each shard needs a lane of its own, because shards wait for each other
     */
    List<Future<?>> submit(ShardCut at, List<Integer> own, boolean isTogether, Task task) {
        boolean isNewCut = !at.equals(cut);
        if (isNewCut) {
            cut = at;
            laneOf.clear();
        }
        trainers.expect(at, own);
        Map<Integer, List<Integer>> byLane = byLane(own, isTogether);
        // All lanes release their old shards before one of them builds a new one.
        CountDownLatch left = new CountDownLatch(isNewCut ? lanes.size() : 0);
        List<Future<?>> submitted = new ArrayList<>();
        for (int position = 0; position < lanes.size(); position++) {
            List<Integer> ofLane = byLane.getOrDefault(position, List.of());
            if (isNewCut || isTogether || !ofLane.isEmpty()) {
                submitted.add(lanes.get(position).submit(shards -> {
                    shards.moveTo(at);
                    if (isTogether) {
                        shards.keepOnly(ofLane);
                    }
                    left.countDown();
                    left.await();
                    task.run(ofLane, shards);
                    return null;
                }));
            }
        }
        return submitted;
    }

    private Map<Integer, List<Integer>> byLane(List<Integer> own, boolean isTogether) {
        Map<Integer, List<Integer>> byLane = new HashMap<>();
        for (int shard : own) {
            int lane = lane(shard);
            if (isTogether && byLane.containsKey(lane)) {
                lane = lanes.size();
                addLane();
                laneOf.put(shard, lane);
            }
            byLane.computeIfAbsent(lane, unknown -> new ArrayList<>()).add(shard);
        }
        return byLane;
    }

    /** Returns the lane that has the shard, otherwise the one with the fewest shards. */
    private int lane(int shard) {
        return laneOf.computeIfAbsent(shard, unknown -> {
            int[] counts = new int[lanes.size()];
            laneOf.values().forEach(lane -> counts[lane]++);
            int fewest = 0;
            for (int lane = 1; lane < counts.length; lane++) {
                fewest = counts[lane] < counts[fewest] ? lane : fewest;
            }
            return fewest;
        });
    }

    /** Closes the shards after the submitted tasks. */
    void close() {
        lanes.forEach(ShardThread::close);
    }

    /** Waits until the shards are closed, for up to 10 seconds per lane. */
    void awaitEnd() throws InterruptedException {
        for (ShardThread lane : lanes) {
            lane.awaitEnd();
        }
    }
}
