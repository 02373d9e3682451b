package io.cutwater.trainer.shard;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.feature.VertexIds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole graph as one shard: the edges of files, and all vertices with known data, with or without edges. Malformed
 * lines are skipped.
 */
public final class WholeGraph implements ShardInput {
    private final List<Path> files;
    private final @Nullable EdgeFileFormat format;
    private final VertexIds vertices;
    private final boolean allowsMissingFeatures;

    /**
     * Reads the graph of some files.
     *
     * @param format format of the files; null to detect it from their names
     * @param data data of the vertices
     * @param shape tells whether endpoints of edges may lack data
     */
    public WholeGraph(List<Path> files, @Nullable EdgeFileFormat format, VertexData data, ShapeOptions shape) {
        allowsMissingFeatures = shape.allowsMissingFeatures();
        this.files = List.copyOf(files);
        this.format = format;
        vertices = data.alone();
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        long[] unknown = allowsMissingFeatures ? unknown() : new long[0];
        int next = 0;
        for (int position = 0; position < vertices.count(); position++) {
            for (; next < unknown.length && unknown[next] < vertices.at(position); next++) {
                consumer.accept(unknown[next], true, 0);
            }
            consumer.accept(vertices.at(position), true, 0); // the store counts the degree, since it has all edges
        }
        for (; next < unknown.length; next++) {
            consumer.accept(unknown[next], true, 0);
        }
    }

    /** Returns the endpoints of edges that have no data, ascending. */
    private long[] unknown() throws IOException {
        DistinctIds unknown = new DistinctIds();
        readEdges(edges -> {
            for (int i = 0; i < edges.size(); i++) {
                if (vertices.find(edges.source(i)) < 0) {
                    unknown.add(edges.source(i));
                }
                if (vertices.find(edges.target(i)) < 0) {
                    unknown.add(edges.target(i));
                }
            }
        });
        return unknown.sorted();
    }

    /** A set of ids, 8 to 16 bytes each; duplicates are removed when the buffer is full. */
    private static final class DistinctIds {
        private long[] ids = new long[1 << 10];
        private int size;

        void add(long id) {
            if (size == ids.length) {
                long[] distinct = sorted();
                size = distinct.length;
                ids = Arrays.copyOf(distinct, Math.max(ids.length, Math.multiplyExact(2, size)));
            }
            ids[size++] = id;
        }

        long[] sorted() {
            return Arrays.stream(ids, 0, size).sorted().distinct().toArray();
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
