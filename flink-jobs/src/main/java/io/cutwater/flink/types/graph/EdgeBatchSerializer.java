package io.cutwater.flink.types.graph;

import io.cutwater.flink.types.StreamSerializer;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.text.RecordRuns;
import io.cutwater.state.text.VertexTexts;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes an edge batch: its columns one after the other, then its dead letters. */
public final class EdgeBatchSerializer extends StreamSerializer<EdgeBatch> {
    public static final EdgeBatchSerializer INSTANCE = new EdgeBatchSerializer();

    private static final int WEIGHTS = 1;
    private static final int TIMESTAMPS = 2;
    private static final int PLACES = 4;
    private static final int REMOVALS = 8;
    private static final int KEYS = 16;
    private static final int TEXTS = 32;
    private static final int SLOTS = 64;

    // Values of the column of removals.
    private static final int OF_EDGE = 1;
    private static final int OF_VERTEX = 2;
    private static final int OF_ALL = 3;

    @Override
    public EdgeBatch createInstance() {
        return new EdgeBatch(1);
    }

    @Override
    public EdgeBatch copy(EdgeBatch from) {
        EdgeBatch copy = new EdgeBatch(Math.max(1, from.size())).setPass(from.pass());
        copy.addAll(from);
        copy.setSlots(from.slots());
        return copy;
    }

    @Override
    public void serialize(EdgeBatch batch, DataOutputView out) throws IOException {
        int size = batch.size();
        out.writeInt(size);
        out.writeInt(batch.pass());
        out.writeLong(batch.progress());
        out.writeByte((batch.hasWeights() ? WEIGHTS : 0)
                | (batch.hasTimestamps() ? TIMESTAMPS : 0)
                | (batch.hasPlaces() ? PLACES : 0)
                | (batch.hasRemovals() ? REMOVALS : 0)
                | (batch.hasKeys() ? KEYS : 0)
                | (hasTexts(batch) ? TEXTS : 0)
                | (batch.slots().length > 0 ? SLOTS : 0));
        long[] sources = batch.sources();
        long[] targets = batch.targets();
        for (int i = 0; i < size; i++) {
            out.writeLong(sources[i]);
            out.writeLong(targets[i]);
        }
        if (batch.hasWeights()) {
            for (int i = 0; i < size; i++) {
                out.writeDouble(batch.weight(i));
            }
        }
        if (batch.hasTimestamps()) {
            for (int i = 0; i < size; i++) {
                out.writeLong(batch.timestamp(i));
            }
        }
        if (batch.hasPlaces()) {
            for (int i = 0; i < size; i++) {
                out.writeInt(batch.place(i));
            }
        }
        if (batch.hasRemovals()) {
            for (int i = 0; i < size; i++) {
                out.writeByte(
                        batch.isVertexRemoval(i)
                                ? OF_VERTEX
                                : batch.isRemovalOfAll(i) ? OF_ALL : batch.isRemoval(i) ? OF_EDGE : 0);
            }
        }
        if (batch.hasKeys()) {
            for (int i = 0; i < size; i++) {
                out.writeLong(batch.key(i));
            }
        }
        if (hasTexts(batch)) {
            serialize(batch.texts(), out);
        }
        int[] slots = batch.slots();
        for (int i = 0; i < slots.length; i += 2) {
            out.writeLong((long) slots[i] << Integer.SIZE | slots[i + 1]);
        }
        out.writeInt(batch.rejected().size());
        for (RejectedRecord rejected : batch.rejected()) {
            RejectedRecordSerializer.INSTANCE.serialize(rejected, out);
        }
    }

    private static boolean hasTexts(EdgeBatch batch) {
        return batch.texts().size() > 0 || batch.texts().records().size() > 0;
    }

    private static void serialize(VertexTexts texts, DataOutputView out) throws IOException {
        RecordRuns records = texts.records();
        out.writeInt(records.size());
        for (int i = 0; i < records.size(); i++) {
            int row = records.firstRow(i);
            out.writeInt(row);
            out.writeInt(records.partitionOf(row));
            out.writeLong(records.offsetOf(row));
        }
        out.writeInt(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            out.writeInt(texts.position(i));
            out.writeLong(texts.id(i));
            out.writeLong(texts.check(i));
            int from = texts.from(i);
            out.writeInt(texts.to(i) - from);
            out.write(texts.bytes(), from, texts.to(i) - from);
        }
    }

    private static void deserialize(VertexTexts into, DataInputView in) throws IOException {
        for (int left = in.readInt(); left > 0; left--) {
            int row = in.readInt();
            int partition = in.readInt();
            into.records().begin(row, partition, in.readLong());
        }
        byte[] text = {};
        for (int left = in.readInt(); left > 0; left--) {
            int position = in.readInt();
            long id = in.readLong();
            long check = in.readLong();
            int length = in.readInt();
            text = length > text.length ? new byte[length] : text;
            in.readFully(text, 0, length);
            into.add(position, id, check, text, 0, length);
        }
    }

    @Override
    public EdgeBatch deserialize(EdgeBatch reuse, DataInputView in) throws IOException {
        reuse.clear();
        int size = in.readInt();
        reuse.setPass(in.readInt());
        reuse.setProgress(in.readLong());
        int flags = in.readByte();
        reuse.ensureCapacity(size);
        for (int i = 0; i < size; i++) {
            long source = in.readLong();
            reuse.add(source, in.readLong());
        }
        if ((flags & WEIGHTS) != 0) {
            for (int i = 0; i < size; i++) {
                reuse.setWeight(i, in.readDouble());
            }
        }
        if ((flags & TIMESTAMPS) != 0) {
            for (int i = 0; i < size; i++) {
                reuse.setTimestamp(i, in.readLong());
            }
        }
        if ((flags & PLACES) != 0) {
            for (int i = 0; i < size; i++) {
                reuse.setPlace(i, in.readInt());
            }
        }
        if ((flags & REMOVALS) != 0) {
            for (int i = 0; i < size; i++) {
                int removal = in.readByte();
                if (removal == OF_VERTEX) {
                    reuse.setVertexRemoval(i);
                } else if (removal == OF_ALL) {
                    reuse.setRemovalOfAll(i);
                } else if (removal == OF_EDGE) {
                    reuse.setRemoval(i);
                }
            }
        }
        if ((flags & KEYS) != 0) {
            for (int i = 0; i < size; i++) {
                reuse.setKey(i, in.readLong());
            }
        }
        if ((flags & TEXTS) != 0) {
            deserialize(reuse.texts(), in);
        }
        if ((flags & SLOTS) != 0) {
            int[] slots = new int[2 * size];
            for (int i = 0; i < slots.length; i += 2) {
                long ends = in.readLong();
                slots[i] = (int) (ends >>> Integer.SIZE);
                slots[i + 1] = (int) ends;
            }
            reuse.setSlots(slots);
        }
        for (int rejected = in.readInt(); rejected > 0; rejected--) {
            reuse.reject(RejectedRecordSerializer.INSTANCE.deserialize(in));
        }
        return reuse;
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the wire format in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<EdgeBatch> {
        public Snapshot() {
            super(EdgeBatchSerializer::new);
        }
    }
}
