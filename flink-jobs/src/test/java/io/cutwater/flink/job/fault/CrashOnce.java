package io.cutwater.flink.job.fault;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Lets batches through, and fails the task once: at the first batch behind the given one that a checkpoint precedes, or
 * if no batch follows the given one (a reader decides how many events are a batch), at the second checkpoint behind it.
 */
public final class CrashOnce extends RichMapFunction<EdgeBatch, EdgeBatch> implements CheckpointListener {
    private static final long serialVersionUID = 1;
    private static final long MAX_SLOW_BATCHES = 2_000;

    /** State by name of the run, because a restarted task is another object. */
    private static final Map<String, AtomicBoolean> CRASHED = new ConcurrentHashMap<>();

    private final String run;
    private final int batch;
    private int batches;
    private int slowBatches;
    private boolean hasCheckpoint;
    private int checkpointsBehind;

    private CrashOnce(String run, int batch) {
        this.run = run;
        this.batch = batch;
    }

    public static DataStream<EdgeBatch> in(DataStream<EdgeBatch> edges, String run, int batch) {
        CRASHED.put(run, new AtomicBoolean());
        return edges.map(new CrashOnce(run, batch))
                .returns(GraphTypes.EDGE_BATCH)
                .setParallelism(1);
    }

    public static boolean hasCrashed(String run) {
        return CRASHED.get(run).get();
    }

    @Override
    public EdgeBatch map(EdgeBatch edges) {
        AtomicBoolean crashed = CRASHED.get(run);
        if (!crashed.get()) {
            // Slow enough that a checkpoint comes before the crash.
            if (!hasCheckpoint && slowBatches++ < MAX_SLOW_BATCHES) {
                LockSupport.parkNanos(10_000_000);
            }
            if (++batches > batch) {
                crash();
            }
        }
        return edges;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        hasCheckpoint = true;
        // The first may have begun before the batch came.
        if (batches == batch && ++checkpointsBehind == 2 && !hasCrashed(run)) {
            crash();
        }
    }

    private void crash() {
        CRASHED.get(run).set(true);
        throw new IllegalStateException("a crash at batch " + batches + " for the test");
    }
}
