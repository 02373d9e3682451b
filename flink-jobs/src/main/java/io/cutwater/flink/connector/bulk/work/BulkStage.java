package io.cutwater.flink.connector.bulk.work;

import io.cutwater.state.bulk.BulkProgress;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Progress of the bulk source, for its gauges: written by one thread, read by others. */
public final class BulkStage implements BulkProgress {
    /**
     * Gauge that names the stage: {@link #STARTING}, {@link #READING}, the name of a pass, {@link #EMITTING},
     * {@link #DONE}.
     */
    public static final String STAGE = "bulkStage";

    /** Gauge of the progress of a pass, 0 to 1. */
    public static final String SHARE = "bulkShare";

    /** Gauge of the progress of all stages before {@link #EMITTING} together, 0 to 1. */
    public static final String PLACED = "bulkPlaced";

    /** Gauge of the edges that were read before they are placed. */
    public static final String EDGES = "bulkEdges";

    /** Gauge of the removals of edges that were not there. */
    static final String UNKNOWN_REMOVALS = "bulkUnknownRemovals";

    public static final String STARTING = "start";

    public static final String READING = "reading";

    /** Stage in which edges are emitted with their places. */
    public static final String EMITTING = "emitting";

    public static final String DONE = "done";

    private static final String GROUP = "cutwater";

    /**
     * Parts of what is left that a stage takes. Reading took 19 % to 52 % of the time in four algorithms; how many
     * passes follow shows when they end, so each takes the same part of the rest.
     */
    private static final double READING_PART = 0.3;

    private static final double PASS_PART = 0.125;

    private volatile String name = STARTING;
    private volatile double share;
    private volatile double placed;
    /** Progress of all stages at the begin and at the end of this one. */
    private double from;

    private double to;
    private volatile long edges;
    private volatile long unknownRemovals;

    public void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(GROUP);
        group.gauge(STAGE, (Gauge<String>) () -> name);
        group.gauge(SHARE, (Gauge<Double>) () -> share);
        group.gauge(PLACED, (Gauge<Double>) this::placed);
        group.gauge(EDGES, (Gauge<Long>) () -> edges);
        group.gauge(UNKNOWN_REMOVALS, (Gauge<Long>) () -> unknownRemovals);
    }

    public void begin(String stage) {
        passed(stage, 0);
    }

    /**
     * Some more of the input is read.
     *
     * @param read number of edges that were read in this stage or the one before
     * @param part of the input that is read, 0 to 1
     */
    void read(long read, double part) {
        edges = read;
        passed(READING, part);
    }

    /** Returns the progress of all stages before the edges are emitted; it never falls. */
    double placed() {
        return placed;
    }

    /** @param unknown removals of edges that were not there */
    void found(long unknown) {
        unknownRemovals = unknown;
    }

    @Override
    public void passed(String pass, double share) {
        if (!pass.equals(name)) {
            from = to;
            to += (1 - to) * (pass.equals(READING) ? READING_PART : PASS_PART);
        }
        boolean isOver = pass.equals(EMITTING) || pass.equals(DONE);
        placed = isOver ? 1 : Math.max(placed, from + (to - from) * share);
        this.share = share;
        name = pass;
    }
}
