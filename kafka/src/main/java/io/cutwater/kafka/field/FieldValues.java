package io.cutwater.kafka.field;

import io.cutwater.format.text.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a record holds in the fields of a {@link FieldTree}; reused for each record. */
public final class FieldValues {
    /** The kinds of a value. */
    public enum Kind {
        ABSENT,
        NULL,
        INTEGER,
        DECIMAL,
        TEXT,
        /** An object, a list, a truth value or bytes. */
        OTHER
    }

    private static final int MAX_DIGITS = 20;
    private static final int ASCII_END = 0x80;
    private static final byte[] NOTHING = {};

    /** Longer texts become strings at once, so that no memory is kept for them. */
    private static final int MAX_BYTES = 4096;

    private final FieldTree tree;
    private final Kind[] kinds;
    private final long[] integers;
    private final double[] decimals;
    // Null of a text whose bytes were not asked for as a string yet.
    private final @Nullable String[] texts;
    private final byte[][] bytes;
    private final int[] begins;
    private final int[] lengths;
    private final byte[][] buffers;
    private String origin = "";
    private boolean isNothing;

    /** @param tree complete: a field that is added later has no value */
    public FieldValues(FieldTree tree) {
        this.tree = tree;
        kinds = new Kind[tree.size()];
        integers = new long[tree.size()];
        decimals = new double[tree.size()];
        texts = new String[tree.size()];
        bytes = new byte[tree.size()][];
        begins = new int[tree.size()];
        lengths = new int[tree.size()];
        buffers = new byte[tree.size()][];
        Arrays.fill(buffers, NOTHING);
        clear();
    }

    /** Makes all fields absent. */
    public void clear() {
        Arrays.fill(kinds, Kind.ABSENT);
        origin = "";
        isNothing = false;
    }

    /** Says that the record stands for none: it has bytes, and they are those of no value. */
    public void setNothing() {
        isNothing = true;
    }

    /** Returns whether the record stands for none. */
    public boolean isNothing() {
        return isNothing;
    }

    /** Makes a field and those inside it absent. */
    void clear(FieldTree.Node node) {
        if (node.index() >= 0) {
            kinds[node.index()] = Kind.ABSENT;
        }
        node.children().forEach(this::clear);
    }

    public void setNull(int field) {
        kinds[field] = Kind.NULL;
    }

    public void setInteger(int field, long value) {
        kinds[field] = Kind.INTEGER;
        integers[field] = value;
    }

    public void setDecimal(int field, double value) {
        setDecimal(field, value, null);
    }

    /** @param text as it is in the record; null if the record has none */
    public void setDecimal(int field, double value, @Nullable String text) {
        kinds[field] = Kind.DECIMAL;
        decimals[field] = value;
        texts[field] = text;
    }

    public void setText(int field, String text) {
        kinds[field] = Kind.TEXT;
        texts[field] = text;
    }

    /** Sets a text of characters that may change as soon as this method returns. */
    public void setText(int field, char[] text, int from, int length) {
        if (length > MAX_BYTES) {
            setText(field, new String(text, from, length));
            return;
        }
        if (length > buffers[field].length) {
            buffers[field] = new byte[Math.max(length, 32)];
        }
        byte[] bytes = buffers[field];
        int all = 0;
        for (int i = 0; i < length; i++) {
            char c = text[from + i];
            all |= c;
            bytes[i] = (byte) c;
        }
        if (all < ASCII_END) {
            setAscii(field, bytes, 0, length);
        } else {
            setText(field, new String(text, from, length));
        }
    }

    /** Sets a text of ASCII, whose bytes do not change before the values are cleared. */
    public void setAscii(int field, byte[] text, int from, int length) {
        kinds[field] = Kind.TEXT;
        texts[field] = null;
        bytes[field] = text;
        begins[field] = from;
        lengths[field] = length;
    }

    /** Returns bytes with the text of a field; null if it has none in ASCII. */
    public byte @Nullable [] ascii(int field) {
        return kinds[field] == Kind.TEXT && texts[field] == null ? bytes[field] : null;
    }

    /** Returns the first byte of the text in {@link #ascii(int)}. */
    public int asciiFrom(int field) {
        return begins[field];
    }

    /** Returns the byte after the last one of the text in {@link #ascii(int)}. */
    public int asciiTo(int field) {
        return begins[field] + lengths[field];
    }

    /** @param text what an error quotes */
    public void setOther(int field, String text) {
        kinds[field] = Kind.OTHER;
        texts[field] = text;
    }

    /** @param origin what every problem of a value ends with, such as the name of a schema */
    public void setOrigin(String origin) {
        this.origin = origin;
    }

    /** Returns what every problem of a value ends with. */
    public String origin() {
        return origin;
    }

    public Kind kind(int field) {
        return kinds[field];
    }

    /** Returns whether a field has a value other than null. */
    public boolean has(int field) {
        return kinds[field] != Kind.ABSENT && kinds[field] != Kind.NULL;
    }

    /** Returns whether a field has no value, or one that stands for none where null is not allowed: 0 or empty text. */
    public boolean isBlank(int field) {
        return switch (kinds[field]) {
            case ABSENT, NULL -> true;
            case INTEGER -> integers[field] == 0;
            case DECIMAL -> decimals[field] == 0;
            case TEXT -> "".equals(texts[field]);
            case OTHER -> false;
        };
    }

    /** Returns the text of a field as it is in the record; null if the field is absent or null. */
    public @Nullable String text(int field) {
        return switch (kinds[field]) {
            case ABSENT, NULL -> null;
            case INTEGER -> Long.toString(integers[field]);
            case DECIMAL -> texts[field] == null ? Double.toString(decimals[field]) : texts[field];
            case TEXT -> string(field);
            case OTHER -> texts[field];
        };
    }

    private String string(int field) {
        String text = texts[field];
        if (text == null) {
            text = new String(bytes[field], begins[field], lengths[field], StandardCharsets.UTF_8);
            texts[field] = text;
        }
        return text;
    }

    /** Returns why a field is not a 64-bit integer; null if it is one, as a number or as text. */
    public @Nullable String integerProblem(int field) {
        return switch (kinds[field]) {
            case INTEGER -> null;
            case ABSENT -> "field %s is missing%s".formatted(tree.path(field), origin);
            case NULL -> "field %s is null%s".formatted(tree.path(field), origin);
            case TEXT -> parsed(field) ? null : notAnInteger(field);
            case DECIMAL, OTHER -> notAnInteger(field);
        };
    }

    /** Returns why a field is neither text nor a 64-bit integer; null if it is one of them. */
    public @Nullable String textProblem(int field) {
        return switch (kinds[field]) {
            case INTEGER, TEXT -> null;
            case ABSENT, NULL -> integerProblem(field);
            case DECIMAL, OTHER -> problem(field, "is neither text nor a 64-bit integer: " + Excerpt.of(quoted(field)));
        };
    }

    /** Returns a sentence about a field: its name, what is said of it, and the origin of the record. */
    public String problem(int field, String predicate) {
        return "field %s %s%s".formatted(tree.path(field), predicate, origin);
    }

    /** The integer of a field for which {@link #integerProblem} is null. */
    public long integer(int field) {
        return integers[field];
    }

    /** Returns why a field is not a finite number; null if it is one, as a number or as text. */
    public @Nullable String numberProblem(int field) {
        boolean isNumber = kinds[field] == Kind.INTEGER
                || (kinds[field] == Kind.DECIMAL || parsedNumber(field)) && Double.isFinite(decimals[field]);
        return isNumber
                ? null
                : "field %s is not a finite number: %s%s"
                        .formatted(tree.path(field), Excerpt.of(quoted(field)), origin);
    }

    /** The number of a field for which {@link #numberProblem} is null. */
    public double number(int field) {
        return kinds[field] == Kind.INTEGER ? integers[field] : decimals[field];
    }

    private boolean parsed(int field) {
        String text = string(field);
        boolean isDecimal = !text.isEmpty() && text.length() <= MAX_DIGITS;
        for (int i = 0; isDecimal && i < text.length(); i++) {
            char c = text.charAt(i);
            isDecimal = c >= '0' && c <= '9' || c == '-' && i == 0 && text.length() > 1;
        }
        if (!isDecimal) {
            return false;
        }
        try {
            integers[field] = Long.parseLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false; // beyond 64 bits
        }
    }

    private boolean parsedNumber(int field) {
        if (kinds[field] != Kind.TEXT) {
            return false;
        }
        try {
            decimals[field] = Double.parseDouble(string(field));
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private String notAnInteger(int field) {
        return "field %s is not a 64-bit integer: %s%s".formatted(tree.path(field), Excerpt.of(quoted(field)), origin);
    }

    private String quoted(int field) {
        String text = text(field);
        return text == null ? "it has no value" : text;
    }
}
