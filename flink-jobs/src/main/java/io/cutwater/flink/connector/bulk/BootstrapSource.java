package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.InputWork;
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

/**
 * Reads the history of a topic, placed in bulk as {@link BulkSource} does, and then the topic without an end.
 * Parallelism 1.
 *
 * <p>Flink's HybridSource does not recover correctly here: a reader that continues in the first source after its
 * enumerator has moved to the second waits for ever to be told that there are no more splits.
 */
final class BootstrapSource
        implements Source<EdgeBatch, BootstrapSplit, KafkaSourceEnumState>,
                ResultTypeQueryable<EdgeBatch>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final InputWork work;
    private final TopicSource<EdgeBatch> live;
    private final String name = UUID.randomUUID().toString();

    /**
     * @param parts of the history that are placed at the same time, each in a thread
     * @throws IllegalArgumentException if no bulk run takes the options
     */
    BootstrapSource(EdgeInput.Bootstrap input, PartitionerOptions options, int parts) {
        EdgeInput.Topic history = input.history();
        InputWork.Shown shown = input.takesRemovals() ? InputWork.Shown.UNKNOWN_REMOVALS : InputWork.Shown.NONE;
        work = new InputWork.Place(
                new EdgeInput.Net(history, input.removesVertices()), options, null, input.given(), shown, parts);
        live = EdgeTopicSource.live(input.rest());
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
        return live.enumerator(context, null, BootstrapSplit::ofLive, BootstrapSplit::live);
    }

    @Override
    public SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<BootstrapSplit> context, KafkaSourceEnumState state) {
        // The history needs no enumerator.
        return live.enumerator(context, state, BootstrapSplit::ofLive, BootstrapSplit::live);
    }

    @Override
    public SourceReader<EdgeBatch, BootstrapSplit> createReader(SourceReaderContext context) throws IOException {
        return new BootstrapReader(context, work, name, live.createReader(context));
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
