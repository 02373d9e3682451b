package io.cutwater.kafka.textid;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes records of topic {@code ids}. The key is the vertex id as 8 bytes, big-endian; the value is a
 * version (1 byte, = 1) and the text of the vertex in UTF-8.
 */
public final class VertexTextCodec {
    private static final byte VERSION = 1;

    private VertexTextCodec() {}

    /** Encodes the key of a vertex. */
    public static byte[] key(long vertex) {
        return ByteBuffer.allocate(Long.BYTES).putLong(vertex).array();
    }

    /**
     * Encodes the value.
     *
     * @param text UTF-8
     * @param from first byte of the text
     * @param to the byte after its last one
     */
    public static byte[] value(byte[] text, int from, int to) {
        byte[] value = new byte[1 + to - from];
        value[0] = VERSION;
        System.arraycopy(text, from, value, 1, to - from);
        return value;
    }

    /**
     * Decodes the vertex of a key.
     *
     * @throws IllegalArgumentException if the key is not 8 bytes
     */
    public static long vertex(byte @Nullable [] key) {
        if (key == null || key.length != Long.BYTES) {
            throw new IllegalArgumentException(
                    "the key takes %d bytes, but there are %d".formatted(Long.BYTES, key == null ? 0 : key.length));
        }
        return ByteBuffer.wrap(key).getLong();
    }

    /**
     * Decodes the text of a value, as bytes of UTF-8.
     *
     * @throws IllegalArgumentException if the value is no text of a known version
     */
    public static byte[] text(byte @Nullable [] value) {
        if (value == null || value.length < 2 || value[0] != VERSION) {
            throw new IllegalArgumentException("the value is not a text of version %d: %s"
                    .formatted(
                            VERSION,
                            value == null || value.length == 0
                                    ? "it is empty"
                                    : "its version is %d and it has %d bytes".formatted(value[0], value.length)));
        }
        return Arrays.copyOfRange(value, 1, value.length);
    }
}
