package io.cutwater.flink.connector.source;

import io.cutwater.flink.connector.file.EdgeFileSource;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.Expiry;
import io.cutwater.flink.operator.CutBatchesOperator;
import io.cutwater.flink.operator.DropDuplicatesOperator;
import io.cutwater.flink.operator.EdgeKeysOperator;
import io.cutwater.flink.operator.ExpireEdgesOperator;
import io.cutwater.flink.operator.TextIdsOperator;
import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.flink.operator.distributed.VertexEdgesOperator;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.jspecify.annotations.Nullable;

/** Creates streams of edge batches from inputs. */
public final class EdgeSources {
    private static final long MAX_WAIT_MILLIS = 50;
    private static final int ONE_KEY = 0;

    private EdgeSources() {}

    /** @param passes how often the input is read, at least 1 */
    public static DataStream<EdgeBatch> read(StreamExecutionEnvironment env, EdgeInput input, int passes) {
        if (input instanceof EdgeInput.Distinct distinct) {
            return inOneTask(
                    read(env, distinct.input(), passes),
                    OperatorId.DROP_DUPLICATES,
                    new DropDuplicatesOperator(distinct.rule()));
        }
        if (input instanceof EdgeInput.Files files) {
            return env.fromSource(
                            new EdgeFileSource(files.files(), passes),
                            WatermarkStrategy.noWatermarks(),
                            OperatorId.EDGE_FILES.name(),
                            GraphTypes.EDGE_BATCH)
                    .uid(OperatorId.EDGE_FILES.uid())
                    .setParallelism(1);
        }
        if (input instanceof EdgeInput.LiveTopic topic) {
            if (passes != 1) {
                throw new IllegalArgumentException(
                        "topic %s has no end, so it is read in 1 pass: %d".formatted(topic.topic(), passes));
            }
            DataStream<EdgeBatch> edges = withTexts(
                    batches(env, topic.topic(), EdgeTopicSource.live(topic), topic.readers()),
                    topic.textIds(),
                    topic.topic());
            // Edges with keys leave by their keys, so this comes before these are resolved.
            edges = expiring(edges, topic.expiry());
            return topic.format().hasKeys()
                    ? chained(edges, OperatorId.EDGE_KEYS, new EdgeKeysOperator(topic.removesVertices()))
                    : edges;
        }
        if (input instanceof EdgeInput.Topic topic) {
            if (topic.format().hasKeys()) {
                throw new IllegalArgumentException(
                        "topic %s has edges with keys, so what is left of it is read".formatted(topic.topic()));
            }
            return withTexts(
                    batches(env, topic.topic(), EdgeTopicSource.create(topic, passes), 1),
                    topic.textIds(),
                    topic.topic());
        }
        throw new IllegalArgumentException("this input needs bulk passes and cannot be read as a stream: " + input);
    }

    /** Returns the edges with a removal of each when its time has passed; the same stream if there is no expiry. */
    public static DataStream<EdgeBatch> expiring(DataStream<EdgeBatch> edges, @Nullable Expiry expiry) {
        return expiry == null ? edges : inOneTask(edges, OperatorId.EXPIRE_EDGES, new ExpireEdgesOperator(expiry));
    }

    /**
     * Adds the check of texts, after which batches have those of new vertices.
     *
     * @param edges of parallelism 1, in their order
     * @param ids how ids are made of text; null for ids that are integers
     */
    public static DataStream<EdgeBatch> withTexts(DataStream<EdgeBatch> edges, @Nullable TextIds ids, String topic) {
        return ids == null ? edges : chained(edges, OperatorId.TEXT_IDS, new TextIdsOperator(ids, topic));
    }

    /**
     * Returns the edges with the removals of all edges of a vertex before that of the vertex; of parallelism 1.
     *
     * @param source of messages from the vertex tables
     */
    public static DataStream<EdgeBatch> removingVertices(DataStream<EdgeBatch> edges, UpdateSource source) {
        return chained(edges, OperatorId.VERTEX_EDGES, new VertexEdgesOperator(source));
    }

    /** Like {@link #inOneTask}, in the task before it, so that batches are not serialized once more. */
    private static DataStream<EdgeBatch> chained(
            DataStream<EdgeBatch> edges, OperatorId id, OneInputStreamOperator<EdgeBatch, EdgeBatch> operator) {
        return DataStreamUtils.reinterpretAsKeyedStream(edges, batch -> ONE_KEY, Types.INT)
                .transform(id.name(), GraphTypes.EDGE_BATCH, operator)
                .uid(id.uid())
                .setParallelism(1);
    }

    private static DataStream<EdgeBatch> batches(
            StreamExecutionEnvironment env, String topic, Source<EdgeBatch, ?, ?> source, int readers) {
        OperatorId id = OperatorId.edgeTopic(topic);
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), id.name(), GraphTypes.EDGE_BATCH)
                .uid(id.uid())
                .setParallelism(readers)
                .transform(
                        OperatorId.CUT_BATCHES.name(), GraphTypes.EDGE_BATCH, new CutBatchesOperator(MAX_WAIT_MILLIS))
                .uid(OperatorId.CUT_BATCHES.uid())
                .setParallelism(readers);
    }

    /** One operator holds all state and sets the key of each access itself, as the assigner does. */
    private static DataStream<EdgeBatch> inOneTask(
            DataStream<EdgeBatch> edges, OperatorId id, OneInputStreamOperator<EdgeBatch, EdgeBatch> operator) {
        return edges.keyBy(batch -> ONE_KEY, Types.INT)
                .transform(id.name(), GraphTypes.EDGE_BATCH, operator)
                .uid(id.uid())
                .setParallelism(1);
    }
}
