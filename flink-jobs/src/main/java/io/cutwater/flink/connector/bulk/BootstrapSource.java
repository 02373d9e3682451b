package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkTask;
import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.flink.connector.feedback.LoopTopic;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.source.EdgeTopicSource;
import io.cutwater.flink.connector.topic.TopicSource;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import java.io.IOException;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of a topic, placed in bulk as {@link BulkSource} does, and then the topic without an end. Either
 * one task does all of it, or several place the history together, each a piece, and then read some topic partitions
 * each.
 *
 * <p>Flink's HybridSource does not recover correctly here: a reader that continues in the first source after its
 * enumerator has moved to the second waits for ever to be told that there are no more splits.
 */
final class BootstrapSource
        implements Source<EdgeBatch, BootstrapSplit, KafkaSourceEnumState>,
                ResultTypeQueryable<EdgeBatch>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final InputWork.Place work;
    private final int tasks;
    private final TopicSource<EdgeBatch> live;
    private final String name = UUID.randomUUID().toString();

    /**
     * @param placing how the history is placed
     * @throws IllegalArgumentException if no bulk run takes the options
     */
    BootstrapSource(EdgeInput.Bootstrap input, PartitionerOptions options, PassParts placing) {
        EdgeInput.Topic history = input.history();
        InputWork.Shown shown = input.takesRemovals() ? InputWork.Shown.UNKNOWN_REMOVALS : InputWork.Shown.NONE;
        LoopTopic loop = placing.loop();
        tasks = placing.tasks();
        BulkTask first = loop == null
                ? null
                : new BulkTask(0, UUID.randomUUID().getMostSignificantBits(), placing.buckets(), loop);
        work = new InputWork.Place(
                new EdgeInput.Net(history, input.removesVertices()),
                options,
                null,
                input.given(),
                shown,
                placing.count(),
                first);
        live = EdgeTopicSource.live(input.rest());
    }

    /** Returns the number of tasks that read. */
    int tasks() {
        return tasks;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return live.getLineageVertex(); // the history is of the same topic
    }

    @Override
    public SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<BootstrapSplit> context) {
        return enumerator(context, null);
    }

    @Override
    public SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<BootstrapSplit> context, KafkaSourceEnumState state) {
        return enumerator(context, state);
    }

    /** One task needs no enumerator for its history. */
    private SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> enumerator(
            SplitEnumeratorContext<BootstrapSplit> context, @Nullable KafkaSourceEnumState state) {
        SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> ofTopic =
                live.enumerator(context, state, BootstrapSplit::ofLive, BootstrapSplit::live);
        return tasks == 1 ? ofTopic : new BootstrapEnumerator(context, ofTopic, tasks);
    }

    @Override
    public SourceReader<EdgeBatch, BootstrapSplit> createReader(SourceReaderContext context) throws IOException {
        int subtask = context.getIndexOfSubtask();
        BulkTask first = work.task();
        InputWork own = first == null ? work : work.inTask(first.withNumber(subtask));
        String folder = first == null ? name : name + "-" + subtask;
        return new BootstrapReader(context, own, folder, tasks, live.createReader(context));
    }

    @Override
    public SimpleVersionedSerializer<BootstrapSplit> getSplitSerializer() {
        return new BootstrapSplitSerializer(live.getSplitSerializer());
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return live.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return GraphTypes.EDGE_BATCH;
    }
}
