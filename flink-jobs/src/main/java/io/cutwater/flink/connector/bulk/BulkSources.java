package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.source.EdgeSources;
import io.cutwater.flink.operator.CountLeftOut;
import io.cutwater.flink.operator.CutBatchesOperator;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** Creates streams of edge batches in which every edge has the place that a bulk run gave it. */
public final class BulkSources {
    private static final long MAX_WAIT_MILLIS = 50;

    private BulkSources() {}

    /**
     * Reads a bounded input; of {@link EdgeInput.Bootstrap} first the history, and then live the rest of the topic,
     * whose edges have no places.
     *
     * @param parts of the graph of a bounded input, or of the history; tasks are for a history
     * @throws IllegalArgumentException if no bulk run takes the options
     */
    public static DataStream<EdgeBatch> read(
            StreamExecutionEnvironment env, EdgeInput input, PartitionerOptions options, PassParts parts) {
        if (input instanceof EdgeInput.Bootstrap bootstrap) {
            DataStream<EdgeBatch> rows = EdgeSources.withTexts(
                    bootstrap(env, new BootstrapSource(bootstrap, options, parts)),
                    bootstrap.textIds(),
                    bootstrap.history().topic());
            return EdgeSources.expiring(rows, bootstrap.expiry());
        }
        @Nullable DuplicateRule rule = input instanceof EdgeInput.Distinct distinct ? distinct.rule() : null;
        EdgeInput edges = input instanceof EdgeInput.Distinct distinct ? distinct.input() : input;
        DataStream<EdgeBatch> placed = stream(
                env,
                "bulk passes",
                new BulkSource(new InputWork.Place(edges, options, rule, null, InputWork.Shown.ALL, parts.count())));
        return rule == null && !(edges instanceof EdgeInput.Net) ? placed : withoutTheRest(placed, true);
    }

    /** Returns whether removals of this input are applied by {@link #readNet}. */
    public static boolean isNet(EdgeInput input) {
        return input instanceof EdgeInput.Net
                || input instanceof EdgeInput.Distinct distinct && distinct.input() instanceof EdgeInput.Net;
    }

    /**
     * Reads the edges that are left at the end of an input.
     *
     * @param passes how often the input is read, at least 1
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
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), id.name(), GraphTypes.EDGE_BATCH)
                .uid(id.uid())
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> withoutTheRest(DataStream<EdgeBatch> edges, boolean keepsPlaces) {
        return edges.map(new CountLeftOut(keepsPlaces))
                .returns(GraphTypes.EDGE_BATCH)
                .name(OperatorId.COUNT_LEFT_OUT.name())
                .uid(OperatorId.COUNT_LEFT_OUT.uid())
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> bootstrap(StreamExecutionEnvironment env, BootstrapSource source) {
        return env.fromSource(
                        source, WatermarkStrategy.noWatermarks(), OperatorId.BOOTSTRAP.name(), GraphTypes.EDGE_BATCH)
                .uid(OperatorId.BOOTSTRAP.uid())
                .setParallelism(source.tasks())
                .transform(
                        OperatorId.CUT_BATCHES.name(), GraphTypes.EDGE_BATCH, new CutBatchesOperator(MAX_WAIT_MILLIS))
                .uid(OperatorId.CUT_BATCHES.uid())
                .setParallelism(source.tasks());
    }
}
