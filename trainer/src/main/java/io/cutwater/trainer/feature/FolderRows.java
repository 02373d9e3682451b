package io.cutwater.trainer.feature;

import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.util.Optional;

/** Vertex data that a partitioning stored with the vertices of each shard. Vertices without an edge are in no shard. */
final class FolderRows implements VertexRowSource {
    private final ShardFolder folder;
    private final int columns;

    /** @param shape tells whether vertices may lack a row */
    FolderRows(ShardFolder folder, ShapeOptions shape) throws IOException {
        this.folder = folder;
        Optional<VertexDataSummary> summary = folder.vertexData();
        shape.requireEither(
                summary.map(VertexDataSummary::features).orElse(0),
                "the shards",
                "give --features FILE here, or to partition when it makes the shards");
        if (summary.isEmpty()) {
            throw new IOException(
                    "the shards have no labels; give --labels FILE here, or to partition when it makes the shards");
        }
        if (summary.get().verticesWithoutRow() > 0 && !shape.allowsMissingFeatures()) {
            throw new IOException(
                    "the shards have %s without a row of features; partition again with a row for each vertex of this graph, or use --allow-missing-features for zeros"
                            .formatted(Counted.of(summary.get().verticesWithoutRow(), "vertex")));
        }
        columns = summary.get().features();
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void readAll(RowConsumer consumer) throws IOException {
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            folder.readVertexData(shard, (vertex, isHome, features, label, split) -> {
                if (isHome) {
                    consumer.accept(vertex, features, label, split);
                }
            });
        }
    }

    @Override
    public void readShard(int shard, RowConsumer consumer) throws IOException {
        folder.readVertexData(
                shard, (vertex, isHome, features, label, split) -> consumer.accept(vertex, features, label, split));
    }

    @Override
    public VertexIds alone() {
        return VertexIds.firstOf(0);
    }
}
