package io.cutwater.format.text;

import io.cutwater.format.file.ByteSource;
import java.io.Closeable;
import java.io.IOException;

/**
 * The lines of a file, one after the other, where they lie in the buffer: no copy and no object per line. Lines end
 * with LF or CRLF; the last one may end with the file.
 */
public final class Lines implements Closeable {
    /** The longest line that is kept whole, in bytes. */
    static final int MAX_LENGTH = 1 << 20;

    /** What is kept of a longer one. */
    static final int KEPT_OF_TOO_LONG = 1 << 16;

    // Small enough that a line is parsed while it is still in the processor's cache.
    private static final int READ_SIZE = 1 << 17;

    private final ByteSource source;
    private final byte[] buffer = new byte[MAX_LENGTH + 2]; // with its CRLF
    private long base;
    private int limit;
    private int from;
    private int to;
    private int next;
    private long number;
    private boolean tooLong;

    /**
     * @param offset where a line begins, in bytes after decompression
     * @param linesBefore the number of lines before that
     */
    public Lines(ByteSource source, long offset, long linesBefore) throws IOException {
        this.source = source;
        source.skip(offset);
        base = offset;
        number = linesBefore;
    }

    /** Goes to the next line; false at the end of the file. */
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

    /** The buffer; the line is its bytes from {@link #from()} to {@link #to()} (exclusive), without the line's end. */
    public byte[] bytes() {
        return buffer;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** Whether the line is longer than {@link #MAX_LENGTH}; of a longer one only the beginning is there. */
    public boolean isTooLong() {
        return tooLong;
    }

    /** Whether the line ends with a line feed: the last line of a file that was cut short does not. */
    public boolean hasEnd() {
        return next > from && buffer[next - 1] == '\n';
    }

    /** The line's number, from 1; the number of lines of the file when there is no more. */
    public long number() {
        return number;
    }

    /** Where the next line begins, in bytes after decompression. */
    long nextOffset() {
        return base + next;
    }

    long bytesRead() {
        return source.bytesRead();
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
