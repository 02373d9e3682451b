package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.EdgeBatchSerializer;
import io.cutwater.state.feedback.NumberedBatch;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a numbered batch: number, assigner, answers, then the batch. */
final class NumberedBatchSerializer extends StreamSerializer<NumberedBatch> {
    static final NumberedBatchSerializer INSTANCE = new NumberedBatchSerializer();

    @Override
    public NumberedBatch createInstance() {
        return new NumberedBatch(0, 0, 0, 0, EdgeBatchSerializer.INSTANCE.createInstance());
    }

    @Override
    public NumberedBatch copy(NumberedBatch from) {
        return new NumberedBatch(
                from.run(),
                from.number(),
                from.assigner(),
                from.answers(),
                EdgeBatchSerializer.INSTANCE.copy(from.batch()));
    }

    @Override
    public void serialize(NumberedBatch numbered, DataOutputView out) throws IOException {
        out.writeLong(numbered.run());
        out.writeLong(numbered.number());
        out.writeInt(numbered.assigner());
        out.writeInt(numbered.answers());
        EdgeBatchSerializer.INSTANCE.serialize(numbered.batch(), out);
    }

    @Override
    public NumberedBatch deserialize(NumberedBatch reuse, DataInputView in) throws IOException {
        long run = in.readLong();
        long number = in.readLong();
        int assigner = in.readInt();
        int answers = in.readInt();
        return new NumberedBatch(
                run, number, assigner, answers, EdgeBatchSerializer.INSTANCE.deserialize(reuse.batch(), in));
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<NumberedBatch> {
        public Snapshot() {
            super(NumberedBatchSerializer::new);
        }
    }
}
