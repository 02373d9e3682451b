package io.cutwater.flink.connector.file;

import io.cutwater.flink.connector.lineage.Datasets;
import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
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
 * Reads edge files one after the other in the given order, as often as there are passes. With parallelism 1 the order
 * of edges is that of the files, also after a restore: a checkpoint holds the position in the file.
 */
public final class EdgeFileSource
        implements Source<EdgeBatch, EdgeFileSplit, List<EdgeFileSplit>>,
                ResultTypeQueryable<EdgeBatch>,
                LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final ArrayList<EdgeFile> files;
    private final int passes;

    /**
     * A file of the input.
     *
     * @param path of the file, readable on the machine of the source
     * @param bytes its size
     */
    public record EdgeFile(String path, EdgeFileFormat format, long bytes) implements java.io.Serializable {}

    /** @param passes how often the files are read, at least 1 */
    public EdgeFileSource(List<EdgeFile> files, int passes) {
        if (passes < 1) {
            throw new IllegalArgumentException("passes must be at least 1: " + passes);
        }
        this.files = new ArrayList<>(files);
        this.passes = passes;
    }

    private List<EdgeFileSplit> splits() {
        List<EdgeFileSplit> splits = new ArrayList<>(files.size() * passes);
        long bytesBefore = 0;
        for (int pass = 0; pass < passes; pass++) {
            for (int number = 0; number < files.size(); number++) {
                EdgeFile file = files.get(number);
                splits.add(new EdgeFileSplit(
                        number, pass, file.path(), file.format(), EdgeFilePosition.START, bytesBefore));
                bytesBefore += file.bytes();
            }
        }
        return splits;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return Datasets.files(files.stream().map(EdgeFile::path).toList()).read(getBoundedness());
    }

    @Override
    public SplitEnumerator<EdgeFileSplit, List<EdgeFileSplit>> createEnumerator(
            SplitEnumeratorContext<EdgeFileSplit> context) {
        return new EdgeFileEnumerator(context, splits());
    }

    @Override
    public SplitEnumerator<EdgeFileSplit, List<EdgeFileSplit>> restoreEnumerator(
            SplitEnumeratorContext<EdgeFileSplit> context, List<EdgeFileSplit> waiting) {
        return new EdgeFileEnumerator(context, waiting);
    }

    @Override
    public SourceReader<EdgeBatch, EdgeFileSplit> createReader(SourceReaderContext context) {
        return new EdgeFileSourceReader(context);
    }

    @Override
    public SimpleVersionedSerializer<EdgeFileSplit> getSplitSerializer() {
        return new EdgeFileSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<List<EdgeFileSplit>> getEnumeratorCheckpointSerializer() {
        return new EdgeFileSplitSerializer.Waiting();
    }

    @Override
    public TypeInformation<EdgeBatch> getProducedType() {
        return GraphTypes.EDGE_BATCH;
    }
}
