package io.cutwater.trainer.shard;

import io.cutwater.kafka.file.EdgeFileFormat;
import io.cutwater.kafka.file.EdgeFilePosition;
import io.cutwater.kafka.file.EdgeFileReader;
import io.cutwater.kafka.file.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole graph as one shard: edge files, and the vertices of which something is known, with or without edges. Lines
 * that are no edges are passed over.
 */
public final class WholeGraph implements ShardInput {
    private final List<Path> files;
    private final @Nullable EdgeFileFormat format;
    private final VertexIds vertices;

    /**
     * The graph of some files.
     *
     * @param format null: told from each file's name
     * @param data of its vertices
     */
    public WholeGraph(List<Path> files, @Nullable EdgeFileFormat format, VertexData data) {
        this.files = List.copyOf(files);
        this.format = format;
        vertices = data.alone();
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        for (int position = 0; position < vertices.count(); position++) {
            consumer.accept(vertices.at(position), true, 0); // the store counts the edges, and here it has all of them
        }
    }

    @Override
    public void readEdges(EdgeConsumer consumer) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        for (Path file : files) {
            EdgeFileFormat told = format == null ? EdgeFileFormat.ofName(file) : format;
            try (EdgeFileReader reader = EdgeFiles.open(file, told, EdgeFilePosition.START)) {
                while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                    consumer.accept(batch);
                    batch.clear();
                }
            }
        }
    }
}
