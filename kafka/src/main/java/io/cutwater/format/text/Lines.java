package io.cutwater.format.text;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.file.ByteSource;
import io.cutwater.state.graph.RejectedRecord;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An iterator over the lines of a file that exposes each line in place in the buffer: no copy and no object per line.
 * Lines end with LF or CRLF; the last line may lack an end.
 */
public final class Lines implements Closeable {
    /** The longest line that is kept whole, in bytes. */
    public static final int MAX_LENGTH = 1 << 20;

    /** The number of bytes kept of a longer line. */
    static final int KEPT_OF_TOO_LONG = 1 << 16;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    // Small enough that a line is parsed while it is still in the processor's cache.
    private static final int READ_SIZE = 1 << 17;

    private final Path file;
    private final ByteSource source;
    private final byte[] buffer = new byte[MAX_LENGTH + 2]; // including CRLF
    private long base;
    private int limit;
    private int from;
    private int to;
    private int next;
    private long number;
    private boolean tooLong;

    private Lines(Path file, ByteSource source, EdgeFilePosition from) {
        this.file = file;
        this.source = source;
        base = from.offset();
        number = from.row();
    }

    /**
     * Opens a file.
     *
     * @param from where a line begins, as {@link #position} returned it for the same file
     * @throws IOException if the file cannot be read or is shorter; the message is meant for users
     */
    public static Lines open(Path file, EdgeFilePosition from) throws IOException {
        ByteSource source = ByteSource.open(file);
        try {
            source.skip(from.offset());
            return new Lines(file, source, from);
        } catch (IOException e) {
            source.close();
            throw e;
        }
    }

    /** Advances to the next line; returns false at the end of the file. */
    public boolean next() throws IOException {
        int start = next;
        int scan = start;
        while (true) {
            byte[] bytes = buffer;
            int end = limit;
            while (scan < end && bytes[scan] != '\n') {
                scan++;
            }
            if (scan < end) {
                return take(start, scan, scan + 1);
            }
            moveToFront(start);
            scan -= start;
            start = 0;
            if (limit == buffer.length) {
                return takeTooLong();
            }
            if (!fill()) {
                return scan > 0 && take(0, scan, scan);
            }
        }
    }

    private boolean take(int start, int end, int following) {
        from = start;
        to = end > start && buffer[end - 1] == '\r' ? end - 1 : end;
        next = following;
        number++;
        tooLong = to - from > MAX_LENGTH;
        return true;
    }

    private boolean takeTooLong() throws IOException {
        int scan;
        do {
            base += limit - KEPT_OF_TOO_LONG;
            limit = KEPT_OF_TOO_LONG;
            scan = KEPT_OF_TOO_LONG;
            if (!fill()) {
                break;
            }
            while (scan < limit && buffer[scan] != '\n') {
                scan++;
            }
        } while (scan == limit);
        take(0, KEPT_OF_TOO_LONG, Math.min(scan + 1, limit));
        tooLong = true;
        return true;
    }

    private void moveToFront(int start) {
        System.arraycopy(buffer, start, buffer, 0, limit - start);
        base += start;
        limit -= start;
        next = 0;
    }

    private boolean fill() throws IOException {
        try {
            int count = source.read(buffer, limit, Math.min(READ_SIZE, buffer.length - limit));
            limit += Math.max(count, 0);
            return count > 0;
        } catch (IOException e) {
            throw source.unreadable("line " + number, e);
        }
    }

    /**
     * Returns the buffer; the line is its bytes from {@link #from()} to {@link #to()} (exclusive), without the line
     * end.
     */
    public byte[] bytes() {
        return buffer;
    }

    public int from() {
        return from;
    }

    /** Returns where the line begins behind a byte order mark, which the first line of a file may have. */
    public int fromBehindMark() {
        int end = from + BYTE_ORDER_MARK.length;
        boolean isThere = number == 1
                && end <= to
                && Arrays.equals(buffer, from, end, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
        return isThere ? end : from;
    }

    public int to() {
        return to;
    }

    /** Returns whether the line is longer than {@link #MAX_LENGTH}; only its beginning is kept then. */
    public boolean isTooLong() {
        return tooLong;
    }

    /** Returns whether the line ends with a line feed, which the last line of a truncated file does not. */
    public boolean hasEnd() {
        return next > from && buffer[next - 1] == '\n';
    }

    /** Returns the line's number, from 1; after the last line, the number of lines. */
    public long number() {
        return number;
    }

    /** Returns the position of the next line. */
    public EdgeFilePosition position() {
        return new EdgeFilePosition(base + next, number, 0);
    }

    /**
     * Returns the line as a rejected record.
     *
     * @param begin where the bytes begin that the record keeps, of which it has 64 KiB at most
     */
    public RejectedRecord reject(String reason, int begin) {
        byte[] value = Arrays.copyOfRange(buffer, begin, Math.min(to, begin + KEPT_OF_TOO_LONG));
        return new RejectedRecord(reason, file.toString(), -1, number, null, value);
    }

    /** Returns the bytes of the (compressed) file read so far. */
    public long bytesRead() {
        return source.bytesRead();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
