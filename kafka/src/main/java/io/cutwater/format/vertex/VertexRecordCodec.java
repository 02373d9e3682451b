package io.cutwater.format.vertex;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.text.NumberScanner;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Records of topic {@code vertices}. The key is the vertex id: 8 bytes, big-endian, or its decimal digits as text; a
 * record without a value removes the vertex. A value that begins with <code>{</code> is JSON,
 *
 * <pre>
 *   {"id": 7, "features": [0.5, 1], "label": 3, "split": "train"}
 * </pre>
 *
 * where every field is optional; an id must equal the key, if there is a key. All other values are binary:
 *
 * <pre>
 *   offset  bytes  content, numbers little-endian
 *   0       1      version = 1
 *   1       1      flags: bit 0 = few of the features are not 0 and only those are there, others 0
 *   2       1      split: 0 none, 1 train, 2 val, 3 test
 *   3       4      label, −1 for none
 *   7       4      d, number of features, 0 to 2^20
 *   11      4 d    features, IEEE 754 floats; or, with bit 0,
 *           4      n, number of values that are stored, and
 *           8 n    for each: its column from 0, ascending (4 bytes), and the feature
 * </pre>
 *
 * A key of eight bytes is text if all of them are digits, or a minus sign and digits. One in 2·10^11 binary keys looks
 * like that and is recognized by its value; it is misread only without a value, or with JSON that has no id.
 */
public final class VertexRecordCodec {
    static final int VERSION = 1;

    private static final int SPARSE = 1;
    private static final int HEADER_BYTES = 11;
    private static final int MAX_FEATURES = 1 << 20;
    private static final int MAX_DIGITS = 20;

    private final VertexRecordJson json = new VertexRecordJson();
    private final NumberScanner scanner = new NumberScanner();

    /** Encodes the key. */
    public static byte[] key(long vertex) {
        return ByteBuffer.allocate(Long.BYTES).putLong(vertex).array();
    }

    /**
     * Encodes a value in the shorter of the two forms.
     *
     * @param features only the first {@code featureCount} count
     * @param label from 0, or {@link VertexRecord#NO_LABEL}
     */
    public static byte[] value(float[] features, int featureCount, int label, VertexSplit split) {
        return value(FeatureRow.of(features, featureCount), label, split);
    }

    /** Encodes the value; equal records have equal bytes. */
    public static byte[] value(VertexRecord vertex) {
        return value(vertex.features(), vertex.label(), vertex.split());
    }

    private static byte[] value(FeatureRow features, int label, VertexSplit split) {
        ByteBuffer out =
                ByteBuffer.allocate(HEADER_BYTES + features.encodedLength()).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) VERSION).put((byte) (features.isSparse() ? SPARSE : 0)).put((byte) split.ordinal());
        out.putInt(label).putInt(features.width());
        features.write(out);
        return out.array();
    }

    /**
     * Decodes the vertex of a record, with or without a value.
     *
     * @throws IllegalArgumentException if neither key nor value has an id, or they differ
     */
    public long vertex(byte @Nullable [] key, byte @Nullable [] value) {
        return value == null ? ofKey(key, false) : decode(key, value).vertex();
    }

    /**
     * Decodes a record.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one record of a known version
     */
    public VertexRecord decode(byte @Nullable [] key, byte[] value) {
        if (value.length > 0 && value[0] == '{') {
            return json.decode(key == null ? null : ofKey(key, false), value);
        }
        // A value of another version is rejected for its version, whatever its key is.
        if (value.length > 0) {
            requireVersion(value[0]);
        }
        return decodeValue(ofKey(key, true), ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN));
    }

    /**
     * Decodes a value that is not JSON.
     *
     * @param in all remaining bytes are the value; little-endian
     * @throws IllegalArgumentException as {@link #decode} does
     */
    public static VertexRecord decodeValue(long vertex, ByteBuffer in) {
        int length = in.remaining();
        try {
            requireVersion(in.get());
            return decodeBinary(vertex, in);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a vertex record of %d bytes is truncated".formatted(length), e);
        }
    }

    private static void requireVersion(byte version) {
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "a vertex record begins with byte %d; it must be JSON, or of version %d, which this program reads"
                            .formatted(version & 0xFF, VERSION));
        }
    }

    private static VertexRecord decodeBinary(long vertex, ByteBuffer in) {
        int flags = in.get();
        if ((flags & ~SPARSE) != 0) {
            throw new IllegalArgumentException(
                    "vertex record flags 0x%02x are not known; this program reads 0x00 and 0x01"
                            .formatted(flags & 0xFF));
        }
        VertexSplit split = VertexSplit.of(in.get());
        int label = in.getInt();
        if (label < VertexRecord.NO_LABEL) {
            throw new IllegalArgumentException("a vertex record has label %d; labels are -1 or more".formatted(label));
        }
        int featureCount = in.getInt();
        if (featureCount < 0 || featureCount > MAX_FEATURES) {
            throw new IllegalArgumentException(
                    "a vertex record has %d features; 0 to %d are possible".formatted(featureCount, MAX_FEATURES));
        }
        FeatureRow features =
                flags == SPARSE ? FeatureRow.readSparse(featureCount, in) : FeatureRow.readDense(featureCount, in);
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("%d bytes trail a vertex record".formatted(in.remaining()));
        }
        return new VertexRecord(vertex, features, label, split);
    }

    private long ofKey(byte @Nullable [] key, boolean isBinary) {
        if (key != null && key.length == Long.BYTES && (isBinary || !isText(key))) {
            return ByteBuffer.wrap(key).getLong();
        }
        if (key == null
                || key.length == 0
                || key.length > MAX_DIGITS
                || scanner.scanInteger(key, 0, key.length) != key.length) {
            throw new IllegalArgumentException(
                    "the key of a vertex record must be its id, as 8 bytes or as text, and is of %s bytes"
                            .formatted(key == null ? "no" : key.length));
        }
        return scanner.integer();
    }

    private static boolean isText(byte[] key) {
        for (int i = 0; i < key.length; i++) {
            boolean isDigit = key[i] >= '0' && key[i] <= '9';
            if (!isDigit && (i > 0 || key[i] != '-')) {
                return false;
            }
        }
        return true;
    }
}
