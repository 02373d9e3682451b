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

    private volatile String name = STARTING;
    private volatile double share;
    private volatile long edges;
    private volatile long unknownRemovals;

    public void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(GROUP);
        group.gauge(STAGE, (Gauge<String>) () -> name);
        group.gauge(SHARE, (Gauge<Double>) () -> share);
        group.gauge(EDGES, (Gauge<Long>) () -> edges);
        group.gauge(UNKNOWN_REMOVALS, (Gauge<Long>) () -> unknownRemovals);
    }

    public void begin(String stage) {
        share = 0;
        name = stage;
    }

    /** @param read number of edges that were read in this stage or the one before */
    void read(long read) {
        edges = read;
    }

    /** @param unknown removals of edges that were not there */
    void found(long unknown) {
        unknownRemovals = unknown;
    }

    @Override
    public void passed(String pass, double share) {
        this.share = share;
        name = pass;
    }
}
