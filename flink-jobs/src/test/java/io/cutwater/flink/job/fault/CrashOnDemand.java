package io.cutwater.flink.job.fault;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Lets batches through, and fails the task at the next one after it was asked to. */
public final class CrashOnDemand implements MapFunction<EdgeBatch, EdgeBatch> {
    private static final long serialVersionUID = 1;

    /** State by name of the run, because a restarted task is another object. */
    private static final Map<String, AtomicBoolean> ASKED = new ConcurrentHashMap<>();

    private final String run;

    private CrashOnDemand(String run) {
        this.run = run;
    }

    public static DataStream<EdgeBatch> in(DataStream<EdgeBatch> edges, String run) {
        ASKED.put(run, new AtomicBoolean());
        return edges.map(new CrashOnDemand(run)).returns(GraphTypes.EDGE_BATCH).setParallelism(edges.getParallelism());
    }

    public static void ask(String run) {
        ASKED.get(run).set(true);
    }

    public static boolean isPending(String run) {
        return ASKED.get(run).get();
    }

    @Override
    public EdgeBatch map(EdgeBatch edges) {
        if (ASKED.get(run).getAndSet(false)) {
            throw new IllegalStateException("a crash for the test");
        }
        return edges;
    }
}
