package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes a lookup. */
final class LookupSerializer extends StreamSerializer<Lookup> {
    static final LookupSerializer INSTANCE = new LookupSerializer();

    @Override
    public Lookup createInstance() {
        return new Lookup();
    }

    @Override
    public Lookup copy(Lookup from) {
        Lookup copy = new Lookup().reset(from.number(), from.assigner(), from.pass(), from.bucket());
        for (int i = 0; i < from.counted(); i++) {
            copy.count(from.vertex(i), from.count(i));
        }
        for (int i = from.counted(); i < from.size(); i++) {
            copy.add(from.vertex(i), from.count(i));
        }
        copy.removals().addAll(from.removals());
        return copy;
    }

    @Override
    public void serialize(Lookup lookup, DataOutputView out) throws IOException {
        out.writeLong(lookup.number());
        out.writeInt(lookup.assigner());
        out.writeInt(lookup.pass());
        out.writeInt(lookup.bucket());
        out.writeInt(lookup.counted());
        out.writeInt(lookup.asked());
        for (int i = 0; i < lookup.size(); i++) {
            out.writeLong(lookup.vertex(i));
            out.writeInt(lookup.count(i));
        }
        EdgeBatch removals = lookup.removals();
        boolean hasKeys = removals.hasKeys();
        out.writeInt(hasKeys ? ~removals.size() : removals.size()); // a job without keys writes what it always did
        for (int i = 0; i < removals.size(); i++) {
            out.writeLong(removals.source(i));
            out.writeLong(removals.target(i));
            if (hasKeys) {
                out.writeLong(removals.key(i));
            }
        }
    }

    @Override
    public Lookup deserialize(Lookup reuse, DataInputView in) throws IOException {
        long number = in.readLong();
        int assigner = in.readInt();
        int pass = in.readInt();
        reuse.reset(number, assigner, pass, in.readInt());
        int counted = in.readInt();
        int asked = in.readInt();
        for (int i = 0; i < counted; i++) {
            long vertex = in.readLong();
            reuse.count(vertex, in.readInt());
        }
        for (int i = 0; i < asked; i++) {
            long vertex = in.readLong();
            reuse.add(vertex, in.readInt());
        }
        int size = in.readInt();
        boolean hasKeys = size < 0;
        for (int removals = hasKeys ? ~size : size; removals > 0; removals--) {
            long source = in.readLong();
            long target = in.readLong();
            reuse.addRemoval(source, target, hasKeys ? in.readLong() : EdgeBatch.NO_KEY);
        }
        return reuse;
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Lookup> {
        public Snapshot() {
            super(LookupSerializer::new);
        }
    }
}
