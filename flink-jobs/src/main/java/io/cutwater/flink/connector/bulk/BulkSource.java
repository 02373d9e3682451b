package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.flink.connector.OneSplitEnumerator;
import io.cutwater.flink.connector.WaitingSplitSerializer;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.DuplicateRule;
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
import org.jspecify.annotations.Nullable;

/**
 * The edges of a bounded input with their places, which passes over all of them have decided before the first is
 * emitted. Of parallelism 1. Where an edge is placed depends on the input, its order and the request alone, so an
 * attempt after a crash computes the same again and goes on emitting where the checkpoint says; if the places are still
 * on the machine's disk it need not compute.
 */
final class BulkSource implements Source<EdgeBatch, BulkSplit, List<BulkSplit>>, ResultTypeQueryable<EdgeBatch> {
    private static final long serialVersionUID = 1;

    private final EdgeInput input;
    private final PartitioningKind kind;
    private final PartitionerOptions options;
    private final @Nullable DuplicateRule dedupe;
    // The same in every attempt of a job, and of no other job.
    private final String name = UUID.randomUUID().toString();

    /**
     * @param input files, or a topic between two offsets
     * @throws IllegalArgumentException if no bulk run takes the options
     */
    BulkSource(EdgeInput input, PartitioningKind kind, PartitionerOptions options, @Nullable DuplicateRule dedupe) {
        this.input = input;
        this.kind = kind;
        this.options = options;
        this.dedupe = dedupe;
        request();
    }

    private BulkRequest request() {
        return new BulkRequest(kind, options, dedupe);
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
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
        return new BulkSourceReader(context, input, request(), name);
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
        return StreamType.EDGE_BATCH;
    }
}
