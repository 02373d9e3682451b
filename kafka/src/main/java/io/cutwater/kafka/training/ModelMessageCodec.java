package io.cutwater.kafka.training;

import io.cutwater.format.text.Excerpt;
import io.cutwater.kafka.training.ModelMessage.Kind;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages on {@code models} and {@code model-updates}, in pieces below Kafka's default limit of 1 MB per
 * record. Big-endian:
 *
 * <pre>
 *   1 byte   version, 1
 *   1 byte   kind, position in {@link Kind}
 *   8 bytes  run
 *   4 bytes  round
 *   4 bytes  shard
 *   8 bytes  weight
 *   4 bytes  this piece, from 0
 *   4 bytes  pieces of the message, at least 1
 *   2 bytes  length of the sender's name, then the name in UTF-8
 *   rest     the piece of the body
 * </pre>
 *
 * A codec object joins the pieces of a message; those of one sender must come in order. Not thread-safe.
 */
public final class ModelMessageCodec {
    /** The length of a piece of the body. */
    static final int PIECE_BYTES = 512 << 10;

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + 1 + 8 + 4 + 4 + 8 + 4 + 4 + 2;
    private static final Kind[] KINDS = Kind.values();
    /** A body of 2 GiB, more than an array holds; a larger number is damage. */
    private static final int MAX_PIECES = Integer.MAX_VALUE / PIECE_BYTES;
    /** The length in UTF-8 of the longest name. */
    private static final int MAX_NAME_BYTES = 800;
    /** The largest number of incomplete messages. */
    private static final int MAX_BEGUN = 1_000;

    private final Map<String, Pieces> begun = new LinkedHashMap<>();

    private static final class Pieces {
        private final List<byte[]> bodies = new ArrayList<>();
        private long bytes;
    }

    /** Encodes a message as records, in the order in which they must be sent. */
    public static List<byte[]> encode(ModelMessage message) {
        byte[] body = message.body();
        byte[] sender = message.sender().getBytes(StandardCharsets.UTF_8);
        int pieces = Math.max(1, (body.length + PIECE_BYTES - 1) / PIECE_BYTES);
        List<byte[]> records = new ArrayList<>(pieces);
        for (int piece = 0; piece < pieces; piece++) {
            int from = piece * PIECE_BYTES;
            int length = Math.min(PIECE_BYTES, body.length - from);
            ByteBuffer record = ByteBuffer.allocate(FIXED_BYTES + sender.length + length);
            record.put(VERSION).put((byte) message.kind().ordinal());
            record.putLong(message.run()).putInt(message.round()).putInt(message.shard());
            record.putLong(message.weight()).putInt(piece).putInt(pieces);
            record.putShort((short) sender.length).put(sender).put(body, from, length);
            records.add(record.array());
        }
        return records;
    }

    /**
     * Decodes the next record.
     *
     * @return the message that it completes. Empty if more pieces follow, or if its first pieces were not seen: a
     *     reader that starts within a message skips the rest of it.
     * @throws IllegalArgumentException if the record is not a piece of a message that this version can read
     */
    public Optional<ModelMessage> decode(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        try {
            if (bytes.get() != VERSION) {
                throw new IllegalArgumentException(
                        "its version is %d, and this program reads %d".formatted(record[0], VERSION));
            }
            return decode(bytes);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("it is truncated after %d bytes".formatted(record.length), e);
        }
    }

    private Optional<ModelMessage> decode(ByteBuffer bytes) {
        int kind = bytes.get();
        long run = bytes.getLong();
        int round = bytes.getInt();
        int shard = bytes.getInt();
        long weight = bytes.getLong();
        int piece = bytes.getInt();
        int pieces = bytes.getInt();
        int nameBytes = Short.toUnsignedInt(bytes.getShort());
        if (kind < 0 || kind >= KINDS.length || piece < 0 || piece >= pieces || pieces > MAX_PIECES) {
            throw new IllegalArgumentException("kind %d, piece %d of %d is unknown".formatted(kind, piece, pieces));
        }
        if (nameBytes == 0 || nameBytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "the sender's name has %d bytes, and 1 to %d are possible".formatted(nameBytes, MAX_NAME_BYTES));
        }
        if (nameBytes > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] name = new byte[nameBytes];
        bytes.get(name);
        byte[] body = new byte[bytes.remaining()];
        bytes.get(body);
        String sender = new String(name, StandardCharsets.UTF_8);
        byte[] whole = whole(sender, piece, pieces, body);
        return whole == null
                ? Optional.empty()
                : Optional.of(new ModelMessage(KINDS[kind], run, round, shard, weight, sender, whole));
    }

    /** Drops the oldest incomplete message if there are too many: its sender must have stopped. */
    private void begin(String sender) {
        begun.remove(sender);
        if (begun.size() == MAX_BEGUN) {
            begun.remove(begun.keySet().iterator().next());
        }
        begun.put(sender, new Pieces());
    }

    private byte @Nullable [] whole(String sender, int piece, int pieces, byte[] body) {
        if (piece == 0 && pieces == 1) {
            return body;
        }
        if (piece == 0) {
            begin(sender);
        }
        Pieces before = begun.get(sender);
        if (before == null || before.bodies.size() != piece) {
            begun.remove(sender);
            return null;
        }
        if (before.bytes + body.length > Integer.MAX_VALUE - Long.BYTES) {
            begun.remove(sender);
            throw new IllegalArgumentException("the body of %s exceeds 2 GiB".formatted(Excerpt.of(sender)));
        }
        before.bodies.add(body);
        before.bytes += body.length;
        if (piece + 1 < pieces) {
            return null;
        }
        begun.remove(sender);
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(before.bytes));
        before.bodies.forEach(all::put);
        return all.array();
    }
}
