package io.cutwater.flink.checkpoint;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes a row key: a byte with the direction in bit 0 (1 for outgoing), a number n in bits 1 to 4, and in bit 5
 * whether the row has a number other than 0; then the n lowest bytes of the neighbour, big-endian, of which the omitted
 * higher bytes repeat the sign; then that number, 4 bytes big-endian. Each edge has such a key, so ids that fit few
 * bytes take few.
 */
final class RowKeySerializer extends KeySerializer<RowKey> {
    static final RowKeySerializer INSTANCE = new RowKeySerializer();

    private static final long serialVersionUID = 1;
    private static final int LENGTH_MASK = 0x0F;
    private static final int NUMBER_FLAG = 0x20;

    @Override
    public RowKey createInstance() {
        return new RowKey(0, false, 0);
    }

    @Override
    public void serialize(RowKey key, DataOutputView out) throws IOException {
        long neighbour = key.neighbour();
        int bytes = length(neighbour);
        out.writeByte(bytes << 1 | (key.isOutgoing() ? 1 : 0) | (key.number() == 0 ? 0 : NUMBER_FLAG));
        for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.writeByte((int) (neighbour >> shift));
        }
        if (key.number() != 0) {
            out.writeInt(key.number());
        }
    }

    /** Returns the bytes that the id needs with its sign; 0 for 0. */
    private static int length(long neighbour) {
        if (neighbour == 0) {
            return 0;
        }
        long magnitude = neighbour < 0 ? ~neighbour : neighbour;
        return (Long.SIZE - Long.numberOfLeadingZeros(magnitude)) / Byte.SIZE + 1;
    }

    @Override
    public RowKey deserialize(DataInputView in) throws IOException {
        int head = in.readByte();
        int bytes = head >> 1 & LENGTH_MASK;
        long neighbour = bytes == 0 ? 0 : in.readByte();
        for (int i = 1; i < bytes; i++) {
            neighbour = neighbour << Byte.SIZE | in.readUnsignedByte();
        }
        return new RowKey(neighbour, (head & 1) != 0, (head & NUMBER_FLAG) == 0 ? 0 : in.readInt());
    }

    @Override
    public Snapshot snapshotConfiguration() {
        return new Snapshot();
    }

    /** Version of the key in a checkpoint. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RowKey> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
