package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.flink.operator.CountDuplicates;
import io.cutwater.flink.operator.CutBatchesOperator;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

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
        if (input instanceof EdgeInput.Distinct distinct) {
            return stream(env, new BulkSource(distinct.input(), kind, options, distinct.rule()))
                    .map(new CountDuplicates())
                    .returns(StreamType.EDGE_BATCH)
                    .name("count duplicates")
                    .uid("count-duplicates")
                    .setParallelism(1);
        }
        if (input instanceof EdgeInput.Bootstrap bootstrap) {
            return bootstrap(env, new BootstrapSource(bootstrap, kind, options));
        }
        return stream(env, new BulkSource(input, kind, options, null));
    }

    private static DataStream<EdgeBatch> stream(StreamExecutionEnvironment env, BulkSource source) {
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "bulk passes", StreamType.EDGE_BATCH)
                .uid("bulk-passes")
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> bootstrap(StreamExecutionEnvironment env, BootstrapSource source) {
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "bulk passes then live", StreamType.EDGE_BATCH)
                .uid("bootstrap")
                .setParallelism(1)
                .transform("cut batches", StreamType.EDGE_BATCH, new CutBatchesOperator(MAX_WAIT_MILLIS))
                .uid("cut-batches")
                .setParallelism(1);
    }
}
