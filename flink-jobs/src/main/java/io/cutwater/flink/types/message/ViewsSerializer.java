package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.flink.types.graph.EdgeBatchSerializer;
import io.cutwater.state.feedback.Views;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes an answer: header, confirmations, the vertices' records, the vertices that are handed over, copies of kept
 * edges, and loads.
 */
final class ViewsSerializer extends StreamSerializer<Views> {
    static final ViewsSerializer INSTANCE = new ViewsSerializer();

    private static final int NOTHING = -1;

    @Override
    public Views createInstance() {
        return new Views();
    }

    @Override
    public Views copy(Views from) {
        Views copy = new Views()
                .reset(from.number(), from.assigner(), from.bucket(), from.run(), from.stride())
                .setHandover(from.handover())
                .setLoads(from.loads().clone());
        for (int i = 0; i < from.lineageCount(); i++) {
            copy.confirm(from.confirmedBucket(i), from.lineage(i), from.confirmed(i));
        }
        for (int i = 0; i < from.size(); i++) {
            int at = copy.addRecord();
            System.arraycopy(from.records(), at, copy.records(), at, from.stride());
        }
        copy.copies().addAll(from.copies());
        return copy;
    }

    @Override
    public void serialize(Views views, DataOutputView out) throws IOException {
        out.writeLong(views.number());
        out.writeInt(views.assigner());
        out.writeInt(views.bucket());
        out.writeLong(views.run());
        out.writeInt(views.stride());
        out.writeInt(views.lineageCount());
        for (int i = 0; i < views.lineageCount(); i++) {
            out.writeInt(views.confirmedBucket(i));
            out.writeLong(views.lineage(i));
            out.writeLong(views.confirmed(i));
        }
        out.writeInt(views.size());
        long[] records = views.records();
        for (int i = 0; i < views.size() * views.stride(); i++) {
            out.writeLong(records[i]);
        }
        byte[] handover = views.handover();
        out.writeInt(handover == null ? NOTHING : handover.length);
        if (handover != null) {
            out.write(handover);
        }
        out.writeBoolean(!views.copies().isEmpty());
        if (!views.copies().isEmpty()) {
            EdgeBatchSerializer.INSTANCE.serialize(views.copies(), out);
        }
        out.writeInt(views.loads().length);
        for (long load : views.loads()) {
            out.writeLong(load);
        }
    }

    @Override
    public Views deserialize(Views reuse, DataInputView in) throws IOException {
        long number = in.readLong();
        int assigner = in.readInt();
        int bucket = in.readInt();
        long run = in.readLong();
        reuse.reset(number, assigner, bucket, run, in.readInt());
        for (int lineages = in.readInt(); lineages > 0; lineages--) {
            int confirmedBucket = in.readInt();
            long lineage = in.readLong();
            reuse.confirm(confirmedBucket, lineage, in.readLong());
        }
        for (int size = in.readInt(); size > 0; size--) {
            int at = reuse.addRecord();
            long[] records = reuse.records();
            for (int i = 0; i < reuse.stride(); i++) {
                records[at + i] = in.readLong();
            }
        }
        int length = in.readInt();
        if (length != NOTHING) {
            byte[] handover = new byte[length];
            in.readFully(handover);
            reuse.setHandover(handover);
        }
        if (in.readBoolean()) {
            EdgeBatchSerializer.INSTANCE.deserialize(reuse.copies(), in);
        }
        int loads = in.readInt();
        if (loads > 0) {
            long[] ofAll = new long[loads];
            for (int i = 0; i < loads; i++) {
                ofAll[i] = in.readLong();
            }
            reuse.setLoads(ofAll);
        }
        return reuse;
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Views> {
        public Snapshot() {
            super(ViewsSerializer::new);
        }
    }
}
