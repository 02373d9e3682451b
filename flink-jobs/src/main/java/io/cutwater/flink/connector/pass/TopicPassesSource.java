package io.cutwater.flink.connector.pass;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.lineage.Datasets;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;

/**
 * Reads a range of a topic several times in the same order, topic partition by topic partition. Parallelism 1.
 *
 * <p>Flink's hybrid source over one Kafka source per pass does not work here: a reader that is restored shortly after a
 * change of passes is never told that it has no more splits, and the job waits for ever; and no two passes have the
 * same order.
 */
public final class TopicPassesSource
        implements Source<EdgeBatch, TopicPassSplit, List<TopicPassSplit>>,
                ResultTypeQueryable<EdgeBatch>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final EdgeInput.Topic input;
    private final int passes;

    /** @param passes how often the topic is read, at least 1 */
    public TopicPassesSource(EdgeInput.Topic input, int passes) {
        this.input = input;
        this.passes = passes;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return Datasets.topic(input.bootstrapServers(), input.topic()).read(getBoundedness());
    }

    @Override
    public SplitEnumerator<TopicPassSplit, List<TopicPassSplit>> createEnumerator(
            SplitEnumeratorContext<TopicPassSplit> context) {
        return new OneSplitEnumerator<>(context, List.of(TopicPassSplit.START));
    }

    @Override
    public SplitEnumerator<TopicPassSplit, List<TopicPassSplit>> restoreEnumerator(
            SplitEnumeratorContext<TopicPassSplit> context, List<TopicPassSplit> waiting) {
        return new OneSplitEnumerator<>(context, waiting);
    }

    @Override
    public SourceReader<EdgeBatch, TopicPassSplit> createReader(SourceReaderContext context) {
        return new TopicPassesReader(context, input, passes);
    }

    @Override
    public SimpleVersionedSerializer<TopicPassSplit> getSplitSerializer() {
        return new TopicPassSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<List<TopicPassSplit>> getEnumeratorCheckpointSerializer() {
        return new WaitingSplitSerializer<>(new TopicPassSplitSerializer());
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return GraphTypes.EDGE_BATCH;
    }
}
