package io.cutwater.kafka.textid;

import io.cutwater.format.text.Excerpt;
import io.cutwater.format.text.NamedEnds;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.CheckCache;
import io.cutwater.state.text.VertexTexts;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns the texts at the ends of an edge into ids, and puts a text into the batch unless it did so lately, or always.
 * Not thread-safe: one set of ends that {@link #another} makes, with their memory of texts, per decoder.
 */
public final class TextEnds implements NamedEnds {
    /** The longest text, in bytes of UTF-8. */
    public static final int MAX_BYTES = 4096;

    // 4 MiB; a text that is not there is only sent again.
    private static final int CACHE_BITS = 19;
    private static final char REPLACEMENT = '\uFFFD';
    private static final int ASCII_END = 0x80;

    private final TextHash hash;
    private final @Nullable CheckCache sent;
    private final End source = new End();
    private final End target = new End();
    private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder(); // reports what is malformed
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();

    private static final class End {
        // Where the text is: in the record, which outlives the edge, or here.
        private byte[] text = {};
        private int from;
        private int length;
        private final byte[] encoded = new byte[MAX_BYTES];
        private long id;
        private long check;
    }

    TextEnds(TextHash hash) {
        this(hash, new CheckCache(CACHE_BITS));
    }

    /** @param sent the texts that were put into a batch lately; null to put each there again */
    TextEnds(TextHash hash, @Nullable CheckCache sent) {
        this.hash = hash;
        this.sent = sent;
    }

    /** Returns ends for another edge at the same time, of the same decoder. */
    public TextEnds another() {
        return new TextEnds(hash, sent);
    }

    /**
     * Reads the text of the source.
     *
     * @return null, or why it is no id: the rest of a sentence that begins with its name
     */
    public @Nullable String readSource(String text) {
        return read(text, source);
    }

    /** Like {@link #readSource(String)}, for the target. */
    public @Nullable String readTarget(String text) {
        return read(text, target);
    }

    /** Like {@link #readSource(String)}, for characters that may change as soon as this method returns. */
    public @Nullable String readSource(char[] text, int from, int length) {
        return read(text, from, length, source);
    }

    /** Like {@link #readSource(char[], int, int)}, for the target. */
    public @Nullable String readTarget(char[] text, int from, int length) {
        return read(text, from, length, target);
    }

    private @Nullable String read(char[] text, int from, int length, End end) {
        if (length == 0 || length > MAX_BYTES) {
            return read(new String(text, from, length), end);
        }
        byte[] bytes = end.encoded;
        int all = 0;
        for (int i = 0; i < length; i++) {
            char c = text[from + i];
            all |= c;
            bytes[i] = (byte) c;
        }
        if (all >= ASCII_END) {
            return read(new String(text, from, length), end);
        }
        hash(end, bytes, 0, length);
        return null;
    }

    @Override
    public @Nullable String readSource(byte[] record, int from, int to) {
        return read(record, from, to, source);
    }

    @Override
    public @Nullable String readTarget(byte[] record, int from, int to) {
        return read(record, from, to, target);
    }

    private @Nullable String read(String text, End end) {
        int length = text.length();
        if (length == 0) {
            return "is empty";
        }
        if (length > MAX_BYTES) {
            return tooLong(text);
        }
        byte[] bytes = end.encoded;
        int i = 0;
        for (char c; i < length && (c = text.charAt(i)) < ASCII_END; i++) {
            bytes[i] = (byte) c;
        }
        if (i < length) {
            if (text.indexOf(REPLACEMENT) >= 0) {
                return notUtf8(text);
            }
            ByteBuffer out = ByteBuffer.wrap(bytes);
            try {
                ByteBuffer encoded = encoder.encode(CharBuffer.wrap(text));
                if (encoded.remaining() > MAX_BYTES) {
                    return tooLong(text);
                }
                out.put(encoded);
            } catch (CharacterCodingException e) {
                return notUtf8(text);
            }
            length = out.position();
        }
        hash(end, bytes, 0, length);
        return null;
    }

    private @Nullable String read(byte[] record, int from, int to, End end) {
        int length = to - from;
        if (length == 0) {
            return "is empty";
        }
        if (length > MAX_BYTES) {
            return tooLong(new String(record, from, MAX_BYTES, StandardCharsets.UTF_8));
        }
        int signs = 0;
        for (int i = from; i < to; i++) {
            signs |= record[i];
        }
        if (signs < 0) {
            String text = new String(record, from, length, StandardCharsets.UTF_8);
            try {
                decoder.decode(ByteBuffer.wrap(record, from, length));
            } catch (CharacterCodingException e) {
                return notUtf8(text);
            }
            if (text.indexOf(REPLACEMENT) >= 0) {
                return notUtf8(text);
            }
        }
        hash(end, record, from, length);
        return null;
    }

    private void hash(End end, byte[] text, int from, int length) {
        end.text = text;
        end.from = from;
        end.length = length;
        end.id = hash.id(text, from, length);
        end.check = hash.check(text, from, length);
    }

    private static String tooLong(String text) {
        return "is text of more than %d bytes, and so long no id can be: %s".formatted(MAX_BYTES, Excerpt.of(text));
    }

    private static String notUtf8(String text) {
        return "is not valid UTF-8: " + Excerpt.of(text);
    }

    /** Returns the id of the source, which was read without a problem. */
    long source() {
        return source.id;
    }

    /** Appends the edge between both ends, without weight and timestamp; both were read without a problem. */
    public void add(EdgeBatch into) {
        into.add(source.id, target.id);
        tell(into);
    }

    @Override
    public void set(EdgeBatch into) {
        into.sources()[into.size() - 1] = source.id;
        into.targets()[into.size() - 1] = target.id;
        tell(into);
    }

    /**
     * Appends the removal of the vertex that was read as the source. Its text is forgotten with it, so the next edge
     * with it puts it into the batch again.
     */
    public void addRemoval(EdgeBatch into) {
        into.add(source.id, source.id);
        int row = into.size() - 1;
        into.setVertexRemoval(row);
        tell(source, VertexTexts.sourceOf(row), into);
        if (sent != null) {
            sent.remove(source.id);
        }
    }

    private void tell(EdgeBatch into) {
        int position = VertexTexts.sourceOf(into.size() - 1);
        tell(source, position, into);
        tell(target, position + 1, into);
    }

    private void tell(End end, int position, EdgeBatch into) {
        if (sent == null || !sent.has(end.id, end.check)) {
            if (sent != null) {
                sent.put(end.id, end.check);
            }
            into.texts().add(position, end.id, end.check, end.text, end.from, end.from + end.length);
        }
    }

    /** Returns whether both edges have the same ends; all were read without a problem. */
    public boolean isSame(TextEnds other) {
        return isSame(source, other.source) && isSame(target, other.target);
    }

    private static boolean isSame(End end, End other) {
        return end.id == other.id && end.check == other.check;
    }
}
