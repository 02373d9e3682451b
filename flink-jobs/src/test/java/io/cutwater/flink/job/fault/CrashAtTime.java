package io.cutwater.flink.job.fault;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.Collector;

/** Fails a job once, some time after its start, whatever its other tasks do then. */
public final class CrashAtTime implements FlatMapFunction<Long, EdgeBatch> {
    private static final long serialVersionUID = 1;
    private static final long TICKS = 5_000;

    /** State by name of the run, because a restarted task is another object. */
    private static final Map<String, AtomicBoolean> CRASHED = new ConcurrentHashMap<>();

    private final String run;
    private final int millis;

    private CrashAtTime(String run, int millis) {
        this.run = run;
        this.millis = millis;
    }

    /** The edges, in one region with a task that fails. */
    public static DataStream<EdgeBatch> beside(DataStream<EdgeBatch> edges, String run, int millis) {
        CRASHED.put(run, new AtomicBoolean());
        return edges.union(edges.getExecutionEnvironment()
                .fromSequence(1, TICKS)
                .setParallelism(1)
                .flatMap(new CrashAtTime(run, millis))
                .returns(GraphTypes.EDGE_BATCH)
                .setParallelism(1));
    }

    public static boolean hasCrashed(String run) {
        return CRASHED.get(run).get();
    }

    @Override
    public void flatMap(Long tick, Collector<EdgeBatch> out) {
        AtomicBoolean crashed = CRASHED.get(run);
        if (!crashed.get()) {
            LockSupport.parkNanos(1_000_000);
            if (tick >= millis) {
                crashed.set(true);
                throw new IllegalStateException("a crash after about %d ms for the test".formatted(millis));
            }
        }
    }
}
