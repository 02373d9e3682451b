package io.cutwater.format.text;

import io.cutwater.state.graph.EdgeBatch;
import org.jspecify.annotations.Nullable;

/**
 * Parses one edge from a line of a file or from a record: {@code source target [weight] [timestamp]}, separated by
 * spaces, tabs or one comma.
 *
 * <p>Ids and timestamps are signed 64-bit integers; a weight is a finite decimal number. Between commas the weight or
 * the timestamp may be empty: the edge then has none. White space and line ends around the edge, and one comma after
 * it, are ignored. Not thread-safe: use one parser per thread.
 */
public final class EdgeTextParser {
    private final NumberScanner scanner = new NumberScanner();
    private @Nullable String reason;
    // The ends of an edge between texts.
    private int source;
    private int afterSource;
    private int target;
    private int afterTarget;

    /**
     * Appends the edge to the batch.
     *
     * @param from first byte of the edge
     * @param to the byte after its last one
     * @return false if the text is malformed: then nothing is appended and {@link #reason()} says why
     */
    public boolean parse(byte[] line, int from, int to, EdgeBatch into) {
        int last = to;
        while (last > from && NumberScanner.isWhiteSpace(line[last - 1])) {
            last--;
        }
        int start = NumberScanner.skipWhiteSpace(line, from, last);
        int end = scanner.scanInteger(line, start, last);
        if (end < 0) {
            return failInteger("source id", end, line, start, last);
        }
        long source = scanner.integer();
        start = NumberScanner.nextField(line, end, last);
        end = scanner.scanInteger(line, start, last);
        if (end < 0) {
            return failInteger("target id", end, line, start, last);
        }
        long target = scanner.integer();
        if (end == last) {
            into.add(source, target);
            return true;
        }
        return parseRest(source, target, line, end, last, into);
    }

    /**
     * Like the other method, for ids that are text: any bytes except blanks, commas and line ends.
     *
     * @param names assigns ids to source and target; a malformed line gets none
     */
    boolean parse(byte[] line, int from, int to, VertexNames names, EdgeBatch into) {
        int last = findEnds(line, from, to);
        if (last < 0 || !parseRest(0, 0, line, afterTarget, last, into)) {
            return false;
        }
        into.sources()[into.size() - 1] = names.id(line, source, afterSource);
        into.targets()[into.size() - 1] = names.id(line, target, afterTarget);
        return true;
    }

    /**
     * Like the first method, for ids that are text: any bytes except blanks, commas and line ends.
     *
     * @param ends takes the texts, and gives their ids to the edge
     */
    public boolean parse(byte[] line, int from, int to, NamedEnds ends, EdgeBatch into) {
        int last = findEnds(line, from, to);
        if (last < 0) {
            return false;
        }
        String wrong = ends.readSource(line, source, afterSource);
        if (wrong != null) {
            return fail("source id " + wrong);
        }
        wrong = ends.readTarget(line, target, afterTarget);
        if (wrong != null) {
            return fail("target id " + wrong);
        }
        if (!parseRest(0, 0, line, afterTarget, last, into)) {
            return false;
        }
        ends.set(into);
        return true;
    }

    /**
     * Finds the texts that are the ends; returns the index after the last byte of the edge, or -1 if one is missing.
     */
    private int findEnds(byte[] line, int from, int to) {
        int last = to;
        while (last > from && NumberScanner.isWhiteSpace(line[last - 1])) {
            last--;
        }
        source = NumberScanner.skipWhiteSpace(line, from, last);
        afterSource = NumberScanner.endOfField(line, source, last);
        target = NumberScanner.nextField(line, afterSource, last);
        afterTarget = NumberScanner.endOfField(line, target, last);
        if (source == afterSource || target == afterTarget) {
            fail((source == afterSource ? "source" : "target") + " id is missing; an edge needs a source and a target");
            return -1;
        }
        return last;
    }

    private boolean parseRest(long source, long target, byte[] line, int afterTarget, int last, EdgeBatch into) {
        double weight = Double.NaN;
        long timestamp = EdgeBatch.NO_TIMESTAMP;
        int start = NumberScanner.nextField(line, afterTarget, last);
        int end = start;
        if (start < last && line[start] != ',') {
            end = scanner.scanDecimal(line, start, last);
            if (end < 0) {
                return fail("weight " + NumberScanner.quote(line, start, last) + " is not a finite decimal number");
            }
            weight = scanner.decimal();
        }
        start = NumberScanner.nextField(line, end, last);
        end = start;
        if (start < last && line[start] != ',') {
            end = scanner.scanInteger(line, start, last);
            if (end < 0) {
                return failInteger("timestamp", end, line, start, last);
            }
            timestamp = scanner.integer();
            if (timestamp == EdgeBatch.NO_TIMESTAMP) {
                return fail("timestamp " + timestamp + " is reserved for edges without one");
            }
        }
        if (NumberScanner.nextField(line, end, last) < last) {
            return fail("there are more than four fields; an edge is source, target, weight and timestamp");
        }
        into.add(source, target, weight, timestamp);
        return true;
    }

    private boolean failInteger(String name, int problem, byte[] line, int start, int last) {
        if (start == last || line[start] == ',') {
            return fail(name + " is missing; an edge needs a source and a target");
        }
        String fault = problem == NumberScanner.OUT_OF_RANGE ? " does not fit in 64 bits" : " is not an integer";
        return fail(name + " " + NumberScanner.quote(line, start, last) + fault);
    }

    private boolean fail(String sentence) {
        reason = sentence;
        return false;
    }

    /**
     * Returns why the last {@link #parse} returned false, as a sentence without a full stop.
     *
     * @throws IllegalStateException if no text was malformed yet
     */
    public String reason() {
        if (reason == null) {
            throw new IllegalStateException("no malformed text was parsed yet");
        }
        return reason;
    }
}
