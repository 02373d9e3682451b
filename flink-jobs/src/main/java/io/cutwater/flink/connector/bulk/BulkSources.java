package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.flink.operator.CountLeftOut;
import io.cutwater.flink.operator.CutBatchesOperator;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.DuplicateRule;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** An input as a stream of edge batches in which every edge has the place that a bulk run gave it. */
public final class BulkSources {
    /**
     * The gauge that names the stage: {@link #STARTING}, {@link #READING}, the name of a pass, {@link #EMITTING},
     * {@link #DONE}.
     */
    public static final String STAGE = "bulkStage";

    /** The gauge of the share of a pass that is done, 0 to 1. */
    public static final String SHARE = "bulkShare";

    /** The gauge of the edges that were read before they are placed. */
    public static final String EDGES = "bulkEdges";

    /** The gauge of the removals of the input that found no edge. */
    public static final String UNKNOWN_REMOVALS = "bulkUnknownRemovals";

    public static final String STARTING = "start";

    public static final String READING = "reading";

    /** Edges come out with their places. */
    public static final String EMITTING = "emitting";

    public static final String DONE = "done";

    private static final long MAX_WAIT_MILLIS = 50;

    private BulkSources() {}

    /**
     * Reads an input with an end; or, of {@link EdgeInput.Bootstrap}, the history so, and live what comes behind it,
     * whose edges have no places.
     *
     * @throws IllegalArgumentException if no bulk run takes the options
     */
    public static DataStream<EdgeBatch> read(
            StreamExecutionEnvironment env, EdgeInput input, PartitioningKind kind, PartitionerOptions options) {
        if (input instanceof EdgeInput.Bootstrap bootstrap) {
            return bootstrap(env, new BootstrapSource(bootstrap, kind, options));
        }
        @Nullable DuplicateRule rule = input instanceof EdgeInput.Distinct distinct ? distinct.rule() : null;
        EdgeInput edges = input instanceof EdgeInput.Distinct distinct ? distinct.input() : input;
        DataStream<EdgeBatch> placed = stream(
                env,
                "bulk passes",
                new BulkSource(new InputWork.Place(edges, kind, options, rule, InputWork.Shown.ALL)));
        return rule == null && !(edges instanceof EdgeInput.Net) ? placed : withoutTheRest(placed, true);
    }

    /** Whether an input is one of which {@link #readNet} finds out what is left. */
    public static boolean isNet(EdgeInput input) {
        return input instanceof EdgeInput.Net
                || input instanceof EdgeInput.Distinct distinct && distinct.input() instanceof EdgeInput.Net;
    }

    /**
     * Reads the edges that are left of an input at its end.
     *
     * @param passes how often, at least 1
     */
    public static DataStream<EdgeBatch> readNet(StreamExecutionEnvironment env, EdgeInput input, int passes) {
        @Nullable DuplicateRule rule = input instanceof EdgeInput.Distinct distinct ? distinct.rule() : null;
        EdgeInput.Net net = (EdgeInput.Net) (input instanceof EdgeInput.Distinct distinct ? distinct.input() : input);
        return withoutTheRest(
                stream(
                        env,
                        "what is left of topic " + net.topic().topic(),
                        new BulkSource(new InputWork.Net(net, rule, passes))),
                false);
    }

    private static DataStream<EdgeBatch> stream(StreamExecutionEnvironment env, String name, BulkSource source) {
        OperatorId id = OperatorId.bulkPasses(name);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), id.name(), StreamType.EDGE_BATCH)
                .uid(id.uid())
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> withoutTheRest(DataStream<EdgeBatch> edges, boolean keepsPlaces) {
        return edges.map(new CountLeftOut(keepsPlaces))
                .returns(StreamType.EDGE_BATCH)
                .name(OperatorId.COUNT_LEFT_OUT.name())
                .uid(OperatorId.COUNT_LEFT_OUT.uid())
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> bootstrap(StreamExecutionEnvironment env, BootstrapSource source) {
        return env.fromSource(
                        source, WatermarkStrategy.noWatermarks(), OperatorId.BOOTSTRAP.name(), StreamType.EDGE_BATCH)
                .uid(OperatorId.BOOTSTRAP.uid())
                .setParallelism(1)
                .transform(
                        OperatorId.CUT_BATCHES.name(), StreamType.EDGE_BATCH, new CutBatchesOperator(MAX_WAIT_MILLIS))
                .uid(OperatorId.CUT_BATCHES.uid())
                .setParallelism(1);
    }
}
