package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.EdgeBatchSerializer;
import io.cutwater.state.feedback.NumberedBatch;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a numbered batch: number, assigner, answers, evicted vertices, then the batch. */
final class NumberedBatchSerializer extends StreamSerializer<NumberedBatch> {
    static final NumberedBatchSerializer INSTANCE = new NumberedBatchSerializer();

    private static final long[] NONE = {};

    @Override
    public NumberedBatch createInstance() {
        return new NumberedBatch(0, 0, 0, 0, EdgeBatchSerializer.INSTANCE.createInstance(), NONE);
    }

    @Override
    public NumberedBatch copy(NumberedBatch from) {
        return new NumberedBatch(
                from.run(),
                from.number(),
                from.assigner(),
                from.answers(),
                EdgeBatchSerializer.INSTANCE.copy(from.batch()),
                from.evicted());
    }

    @Override
    public void serialize(NumberedBatch numbered, DataOutputView out) throws IOException {
        out.writeLong(numbered.run());
        out.writeLong(numbered.number());
        out.writeInt(numbered.assigner());
        out.writeInt(numbered.answers());
        long[] evicted = numbered.evicted();
        out.writeInt(evicted.length);
        for (long vertex : evicted) {
            out.writeLong(vertex);
        }
        EdgeBatchSerializer.INSTANCE.serialize(numbered.batch(), out);
    }

    @Override
    public NumberedBatch deserialize(NumberedBatch reuse, DataInputView in) throws IOException {
        long run = in.readLong();
        long number = in.readLong();
        int assigner = in.readInt();
        int answers = in.readInt();
        int leaving = in.readInt();
        long[] evicted = leaving == 0 ? NONE : new long[leaving];
        for (int i = 0; i < leaving; i++) {
            evicted[i] = in.readLong();
        }
        return new NumberedBatch(
                run, number, assigner, answers, EdgeBatchSerializer.INSTANCE.deserialize(reuse.batch(), in), evicted);
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
