package io.cutwater.trainer.shard;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Shards that do not change: those of an output folder, or a whole graph as the only one. */
public final class FixedShards implements ShardSource {
    private final List<ShardInput> inputs;
    private final VertexData data;
    private final ShapeOptions shape;
    private final ShardCut cut;
    private final PartitioningKind kind;

    /**
     * Creates the source.
     *
     * @param inputs one per shard
     * @param kind what the shards divide
     * @param shape the part of the shape that the user chose
     */
    public FixedShards(List<? extends ShardInput> inputs, PartitioningKind kind, VertexData data, ShapeOptions shape) {
        this.shape = shape;
        this.kind = kind;
        this.inputs = List.copyOf(inputs);
        this.data = data;
        cut = ShardCut.only(inputs.size());
    }

    @Override
    public DataShape shape() {
        return new DataShape(shape.embeddings() > 0 ? shape.embeddings() : data.columns(), data.classCount());
    }

    @Override
    public PartitioningKind kind() {
        return kind;
    }

    @Override
    public ShardCut latest() {
        return cut;
    }

    @Override
    public ShardStore make(int shard, ShardCut at, Path folder) throws IOException {
        if (!at.equals(cut)) {
            throw new IOException(
                    "this process has %d fixed shards, but the training uses others; give the same shards to all processes"
                            .formatted(inputs.size()));
        }
        return ShardBuilder.build(shard, inputs.get(shard), data, folder, shape);
    }

    @Override
    public void close() {}
}
