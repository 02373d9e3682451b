package io.cutwater.trainer.feature;

import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import java.io.IOException;

/** Vertex data from files that describe all vertices of the graph. */
final class FileRows implements VertexRowSource {
    private final VertexFiles files;
    private final VertexShape shape;

    FileRows(VertexFiles files, ShapeOptions options) throws IOException {
        this.files = files;
        shape = files.measure();
        options.requireEither(shape.featureCount(), files.paths().toString(), "give --features");
    }

    @Override
    public int columns() {
        return shape.featureCount();
    }

    @Override
    public void readAll(RowConsumer consumer) throws IOException {
        try (VertexFileReader reader = files.open(shape)) {
            while (reader.next()) {
                consumer.accept(reader.vertex(), reader.features(), reader.label(), reader.split());
            }
        }
    }

    @Override
    public void readShard(int shard, RowConsumer consumer) throws IOException {
        readAll(consumer);
    }

    @Override
    public VertexIds alone() throws IOException {
        if (!shape.hasIds()) {
            return VertexIds.firstOf(shape.rows());
        }
        long[] ids = new long[Math.toIntExact(shape.rows())];
        int[] next = {0};
        readAll((vertex, features, label, split) -> ids[next[0]++] = vertex);
        return VertexIds.of(ids);
    }
}
