package io.cutwater.flink.types.shard;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.EdgeBatchSerializer;
import io.cutwater.state.placement.ShardChange;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a shard batch. */
final class ShardBatchSerializer extends StreamSerializer<ShardBatch> {
    static final ShardBatchSerializer INSTANCE = new ShardBatchSerializer();

    private static final ShardChange[] CHANGES = ShardChange.values();

    @Override
    public ShardBatch createInstance() {
        return new ShardBatch(0, EdgeBatchSerializer.INSTANCE.createInstance());
    }

    @Override
    public ShardBatch copy(ShardBatch from) {
        return new ShardBatch(
                from.shard(), from.change(), from.generation(), EdgeBatchSerializer.INSTANCE.copy(from.edges()));
    }

    @Override
    public void serialize(ShardBatch batch, DataOutputView out) throws IOException {
        out.writeInt(batch.shard());
        out.writeByte(batch.change().ordinal());
        out.writeLong(batch.generation());
        EdgeBatchSerializer.INSTANCE.serialize(batch.edges(), out);
    }

    @Override
    public ShardBatch deserialize(ShardBatch reuse, DataInputView in) throws IOException {
        int shard = in.readInt();
        ShardChange change = CHANGES[in.readByte()];
        long generation = in.readLong();
        return new ShardBatch(shard, change, generation, EdgeBatchSerializer.INSTANCE.deserialize(reuse.edges(), in));
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<ShardBatch> {
        public Snapshot() {
            super(ShardBatchSerializer::new);
        }
    }
}
