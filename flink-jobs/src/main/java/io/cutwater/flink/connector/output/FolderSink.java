package io.cutwater.flink.connector.output;

import io.cutwater.flink.connector.lineage.Datasets;
import io.cutwater.flink.types.shard.FolderRecord;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.format.folder.FolderStaging;
import io.cutwater.state.placement.ShardChange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;

/**
 * Writes the staging area of an output folder, exactly once: a checkpoint holds the length of every file, and a restore
 * truncates the files to it. Parallelism 1, on a disk that a restarted task sees again.
 */
final class FolderSink implements Sink<FolderRecord>, SupportsWriterState<FolderRecord, long[]>, LineageVertexProvider {
    private static final long serialVersionUID = 1;

    private final String folder;
    private final int shards;

    FolderSink(Path folder, int shards) {
        this.folder = folder.toString();
        this.shards = shards;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return Datasets.files(List.of(folder)).written();
    }

    @Override
    public Writer createWriter(WriterInitContext context) throws IOException {
        return new Writer(FolderStaging.create(Path.of(folder), shards));
    }

    @Override
    public StatefulSinkWriter<FolderRecord, long[]> restoreWriter(WriterInitContext context, Collection<long[]> states)
            throws IOException {
        if (states.isEmpty()) {
            return createWriter(context);
        }
        if (states.size() > 1) {
            throw new IOException(
                    "the folder sink was checkpointed by %d writers; it has one".formatted(states.size()));
        }
        long[] lengths = states.iterator().next();
        return new Writer(FolderStaging.restore(Path.of(folder), shards, lengths));
    }

    @Override
    public SimpleVersionedSerializer<long[]> getWriterStateSerializer() {
        return new LengthsSerializer();
    }

    private static final class Writer implements StatefulSinkWriter<FolderRecord, long[]> {
        private final FolderStaging staging;

        Writer(FolderStaging staging) {
            this.staging = staging;
        }

        @Override
        public void write(FolderRecord record, Context context) throws IOException {
            if (record instanceof FolderRecord.Edges edges) {
                append(edges.batch());
            } else if (record instanceof FolderRecord.Vertices vertices) {
                staging.append(vertices.batch());
            } else if (record instanceof FolderRecord.Rejected rejected) {
                staging.append(rejected.record());
            }
        }

        private void append(ShardBatch batch) throws IOException {
            if (batch.change() != ShardChange.ADD) {
                throw new IOException(
                        "an output folder cannot contain removed or moved edges (%s); write a stream with removals or moves to topics"
                                .formatted(batch.change()));
            }
            staging.append(batch.shard(), batch.edges());
        }

        @Override
        public void flush(boolean endOfInput) throws IOException {
            if (endOfInput) {
                staging.flush();
            }
        }

        @Override
        public List<long[]> snapshotState(long checkpointId) throws IOException {
            return List.of(staging.flush());
        }

        @Override
        public void close() throws IOException {
            staging.close();
        }
    }

    private static final class LengthsSerializer implements SimpleVersionedSerializer<long[]> {
        private static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(long[] lengths) {
            ByteBuffer out = ByteBuffer.allocate(Long.BYTES * lengths.length);
            out.asLongBuffer().put(lengths);
            return out.array();
        }

        @Override
        public long[] deserialize(int version, byte[] bytes) throws IOException {
            if (version != VERSION) {
                throw new IOException("file lengths of version %d; this build reads %d".formatted(version, VERSION));
            }
            long[] lengths = new long[bytes.length / Long.BYTES];
            ByteBuffer.wrap(bytes).asLongBuffer().get(lengths);
            return lengths;
        }
    }
}
