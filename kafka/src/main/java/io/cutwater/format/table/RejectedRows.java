package io.cutwater.format.table;

import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.binary.StagedFiles;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Staged dead letters: one frame each, with topic partition, offset, length of the whole value, and five byte strings
 * with their lengths.
 */
public final class RejectedRows {
    static final int KIND = 0x20;

    private RejectedRows() {}

    public static void append(StagedFiles files, int file, RejectedRecord record) throws IOException {
        byte[] reason = record.reason().getBytes(StandardCharsets.UTF_8);
        byte[] origin = record.origin().getBytes(StandardCharsets.UTF_8);
        byte[] key = record.key();
        int bytes = Math.addExact(
                Integer.BYTES + 2 * Long.BYTES + 5 * Integer.BYTES + reason.length + origin.length,
                Math.addExact(key == null ? 0 : key.length, record.value().length + record.valueSha256().length));
        ByteBuffer out = files.room(file, Math.addExact(FrameReader.HEADER_BYTES, bytes));
        out.putLong(FrameReader.header(KIND, bytes));
        out.putInt(record.topicPartition()).putLong(record.offset()).putLong(record.valueLength());
        put(out, reason);
        put(out, origin);
        put(out, key);
        put(out, record.value());
        put(out, record.valueSha256());
    }

    private static void put(ByteBuffer out, byte @Nullable [] bytes) {
        out.putInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.put(bytes);
        }
    }

    public static RejectedRecord read(ByteBuffer payload) {
        int topicPartition = payload.getInt();
        long offset = payload.getLong();
        long valueLength = payload.getLong();
        String reason = new String(bytes(payload), StandardCharsets.UTF_8);
        String origin = new String(bytes(payload), StandardCharsets.UTF_8);
        int keyLength = payload.getInt();
        byte[] key = keyLength < 0 ? null : bytes(payload, keyLength);
        byte[] value = bytes(payload);
        return new RejectedRecord(reason, origin, topicPartition, offset, key, value, valueLength, bytes(payload));
    }

    private static byte[] bytes(ByteBuffer payload) {
        return bytes(payload, payload.getInt());
    }

    private static byte[] bytes(ByteBuffer payload, int length) {
        byte[] bytes = new byte[length];
        payload.get(bytes);
        return bytes;
    }
}
