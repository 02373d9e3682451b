package io.cutwater.format.text;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.VertexSplit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses the fields of a vertex's line; a malformed field is an error that names file and line. */
public final class VertexNumbers {
    private final VertexLines lines;
    private final @Nullable NameIds names;
    private final NumberScanner scanner = new NumberScanner();

    /** Creates a parser of lines whose ids are integers. */
    public VertexNumbers(VertexLines lines) {
        this(lines, null);
    }

    /** @param names the ids of vertices that are text; null for ids that are integers */
    public VertexNumbers(VertexLines lines, @Nullable NameIds names) {
        this.lines = lines;
        this.names = names;
    }

    public float feature(int from, int to) throws IOException {
        if (scanner.scanDecimal(lines.bytes(), from, to) != to) {
            throw lines.wrong("has %s where a finite number should be".formatted(quote(from, to)));
        }
        float value = (float) scanner.decimal();
        if (Float.isInfinite(value)) {
            throw lines.wrong("has %s, which is beyond the range of 32-bit floats".formatted(quote(from, to)));
        }
        return value;
    }

    public long id(int from, int to) throws IOException {
        NameIds names = this.names;
        if (names != null) {
            return id(names, from, to);
        }
        if (scanner.scanInteger(lines.bytes(), from, to) != to) {
            throw lines.wrong("has %s where the vertex' id should be, a 64-bit integer".formatted(quote(from, to)));
        }
        return scanner.integer();
    }

    private long id(NameIds names, int from, int to) throws IOException {
        if (from == to) {
            throw lines.wrong("has nothing where the text of the vertex should be");
        }
        try {
            return names.id(lines.bytes(), from, to);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    lines.wrong("has the vertex %s, which %s".formatted(quote(from, to), e.getMessage()))
                            .getMessage(),
                    e);
        }
    }

    public int label(int from, int to) throws IOException {
        if (scanner.scanInteger(lines.bytes(), from, to) != to
                || scanner.integer() < FeatureReader.NO_LABEL
                || scanner.integer() > Integer.MAX_VALUE) {
            throw lines.wrong(
                    "has %s where a label should be, an integer from 0, or -1 for none".formatted(quote(from, to)));
        }
        return (int) scanner.integer();
    }

    public VertexSplit split(int from, int to) throws IOException {
        try {
            return VertexSplit.of(new String(lines.bytes(), from, to - from, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    lines.wrong("has %s where one of train, val, test and none should be".formatted(quote(from, to)))
                            .getMessage(),
                    e);
        }
    }

    /** Parses a line that is a label and nothing else. */
    public int onlyLabel() throws IOException {
        int end = endOfField(lines.from());
        end(end);
        return label(lines.from(), end);
    }

    /** Parses a line that is a split and nothing else. */
    public VertexSplit onlySplit() throws IOException {
        int end = endOfField(lines.from());
        end(end);
        return split(lines.from(), end);
    }

    /** Rejects text after the last field of a line. */
    public void end(int to) throws IOException {
        if (NumberScanner.skipBlanks(lines.bytes(), to, lines.to()) < lines.to()) {
            throw lines.wrong("has text after its last field");
        }
    }

    public int endOfField(int from) {
        return NumberScanner.endOfField(lines.bytes(), from, lines.to());
    }

    private String quote(int from, int to) {
        return from == to ? "nothing" : NumberScanner.quote(lines.bytes(), from, to);
    }
}
