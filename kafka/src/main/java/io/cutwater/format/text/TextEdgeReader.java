package io.cutwater.format.text;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A reader of edges as lines of text; it skips comments, blank lines and one header at the top. */
public final class TextEdgeReader implements EdgeFileReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final String origin;
    private final Lines lines;
    private final EdgeTextParser parser = new EdgeTextParser();
    private final @Nullable VertexNames names;

    /** True while only comments and blank lines have been read, so that a header may follow. */
    private boolean isAtTop;

    private TextEdgeReader(Path file, Lines lines, @Nullable VertexNames names, boolean isAtTop) {
        origin = file.toString();
        this.lines = lines;
        this.names = names;
        this.isAtTop = isAtTop;
    }

    /** @param names null if ids are integers */
    public static TextEdgeReader open(Path file, EdgeFilePosition from, @Nullable VertexNames names)
            throws IOException {
        ByteSource source = ByteSource.open(file);
        try {
            // A read ends after an edge or a rejected line, so any later position is below the header.
            return new TextEdgeReader(file, new Lines(source, from.offset(), from.row()), names, from.offset() == 0);
        } catch (IOException e) {
            source.close();
            throw e;
        }
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
        int from = NumberScanner.skipWhiteSpace(bytes, isAtTop ? skipByteOrderMark() : lines.from(), to);
        if (from == to || bytes[from] == '#' || bytes[from] == '%') {
            return;
        }
        boolean mayBeHeader = isAtTop;
        isAtTop = false;
        if (lines.isTooLong()) {
            reject("the line is longer than %d bytes".formatted(Lines.MAX_LENGTH), batch);
        } else if (names != null) {
            if (!(mayBeHeader && HeaderLine.isUsual(bytes, from, to)) && !parser.parse(bytes, from, to, names, batch)) {
                reject(parser.reason(), batch);
            }
        } else if (!parser.parse(bytes, from, to, batch) && !(mayBeHeader && HeaderLine.is(bytes, from, to))) {
            reject(parser.reason(), batch);
        }
    }

    private int skipByteOrderMark() {
        int from = lines.from();
        int end = from + BYTE_ORDER_MARK.length;
        boolean isThere = lines.number() == 1
                && end <= lines.to()
                && Arrays.equals(lines.bytes(), from, end, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
        return isThere ? end : from;
    }

    private void reject(String reason, EdgeBatch batch) {
        int end = Math.min(lines.to(), lines.from() + Lines.KEPT_OF_TOO_LONG);
        byte[] value = Arrays.copyOfRange(lines.bytes(), lines.from(), end);
        batch.reject(new RejectedRecord(reason, origin, -1, lines.number(), null, value));
    }

    @Override
    public EdgeFilePosition position() {
        return new EdgeFilePosition(lines.nextOffset(), lines.number(), 0);
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
