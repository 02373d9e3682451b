package io.cutwater.format.text;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A reader of edges as lines of text; it skips comments, blank lines and one header at the top. */
public final class TextEdgeReader implements EdgeFileReader {
    private final Lines lines;
    private final EdgeTextParser parser = new EdgeTextParser();
    private final @Nullable VertexNames names;
    private final @Nullable NamedEnds ends;

    /** True while only comments and blank lines have been read, so that a header may follow. */
    private boolean isAtTop;

    private TextEdgeReader(Lines lines, @Nullable VertexNames names, @Nullable NamedEnds ends, boolean isAtTop) {
        this.lines = lines;
        this.names = names;
        this.ends = ends;
        this.isAtTop = isAtTop;
    }

    /** @param names null if ids are integers */
    public static TextEdgeReader open(Path file, EdgeFilePosition from, @Nullable VertexNames names)
            throws IOException {
        // A read ends after an edge or a rejected line, so any later position is below the header.
        return new TextEdgeReader(Lines.open(file, from), names, null, from.offset() == 0);
    }

    /** @param ends takes the texts that are the ends of each edge */
    public static TextEdgeReader open(Path file, EdgeFilePosition from, NamedEnds ends) throws IOException {
        return new TextEdgeReader(Lines.open(file, from), null, ends, from.offset() == 0);
    }

    @Override
    public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
        int size = batch.size();
        int rejected = batch.rejected().size();
        while (batch.size() - size < maxEdges
                && batch.rejected().size() - rejected < MAX_REJECTED_PER_READ
                && lines.next()) {
            take(batch);
        }
        return batch.size() > size || batch.rejected().size() > rejected;
    }

    private void take(EdgeBatch batch) {
        byte[] bytes = lines.bytes();
        int to = lines.to();
        int from = NumberScanner.skipWhiteSpace(bytes, isAtTop ? lines.fromBehindMark() : lines.from(), to);
        if (from == to || bytes[from] == '#' || bytes[from] == '%') {
            return;
        }
        boolean mayBeHeader = isAtTop;
        isAtTop = false;
        if (lines.isTooLong()) {
            reject("the line is longer than %d bytes".formatted(Lines.MAX_LENGTH), batch);
        } else if (names != null || ends != null) {
            if (!(mayBeHeader && HeaderLine.isUsual(bytes, from, to)) && !parseTexts(bytes, from, to, batch)) {
                reject(parser.reason(), batch);
            }
        } else if (!parser.parse(bytes, from, to, batch) && !(mayBeHeader && HeaderLine.is(bytes, from, to))) {
            reject(parser.reason(), batch);
        }
    }

    private boolean parseTexts(byte[] line, int from, int to, EdgeBatch batch) {
        VertexNames numbered = names;
        NamedEnds taken = ends;
        return numbered != null
                ? parser.parse(line, from, to, numbered, batch)
                : taken != null && parser.parse(line, from, to, taken, batch);
    }

    private void reject(String reason, EdgeBatch batch) {
        batch.reject(lines.reject(reason, lines.from()));
    }

    @Override
    public EdgeFilePosition position() {
        return lines.position();
    }

    @Override
    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
