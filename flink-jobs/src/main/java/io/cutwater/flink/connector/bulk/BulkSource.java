package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.lineage.Datasets;
import io.cutwater.flink.connector.pass.OneSplitEnumerator;
import io.cutwater.flink.connector.pass.WaitingSplitSerializer;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.List;
import java.util.UUID;
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
 * Emits the edges of a bounded input after reading it as a whole: either with places that passes over all edges have
 * decided, or only those that are left after removals. Parallelism 1. The output depends only on the input, its order
 * and the work, so an attempt after a crash computes the same and continues where the checkpoint says; if the places
 * are still on the machine's disk, it does not compute them again.
 */
final class BulkSource
        implements Source<EdgeBatch, BulkSplit, List<BulkSplit>>,
                ResultTypeQueryable<EdgeBatch>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final InputWork work;
    // The same in every attempt of a job, and different in other jobs.
    private final String name = UUID.randomUUID().toString();

    BulkSource(InputWork work) {
        this.work = work;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return datasets(work.input()).read(getBoundedness());
    }

    private static Datasets datasets(EdgeInput input) {
        if (input instanceof EdgeInput.Files files) {
            return Datasets.files(files.files().stream().map(EdgeFile::path).toList());
        }
        if (input instanceof EdgeInput.Topic topic) {
            return Datasets.topic(topic.bootstrapServers(), topic.topic());
        }
        if (input instanceof EdgeInput.Net net) {
            return datasets(net.topic());
        }
        if (input instanceof EdgeInput.Distinct distinct) {
            return datasets(distinct.input());
        }
        throw new IllegalStateException(
                "no bulk passes over " + input.getClass().getSimpleName());
    }

    @Override
    public SplitEnumerator<BulkSplit, List<BulkSplit>> createEnumerator(SplitEnumeratorContext<BulkSplit> context) {
        return new OneSplitEnumerator<>(context, List.of(BulkSplit.WHOLE));
    }

    @Override
    public SplitEnumerator<BulkSplit, List<BulkSplit>> restoreEnumerator(
            SplitEnumeratorContext<BulkSplit> context, List<BulkSplit> waiting) {
        return new OneSplitEnumerator<>(context, waiting);
    }

    @Override
    public SourceReader<EdgeBatch, BulkSplit> createReader(SourceReaderContext context) {
        return new BulkSourceReader(context, work, name);
    }

    @Override
    public SimpleVersionedSerializer<BulkSplit> getSplitSerializer() {
        return new BulkSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<List<BulkSplit>> getEnumeratorCheckpointSerializer() {
        return new WaitingSplitSerializer<>(new BulkSplitSerializer());
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return GraphTypes.EDGE_BATCH;
    }
}
