package io.cutwater.flink.connector.bulk;

import io.cutwater.state.bulk.BulkProgress;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Progress of the bulk source, for its gauges: written by one thread, read by others. */
final class BulkStage implements BulkProgress {
    private static final String GROUP = "cutwater";

    private volatile String name = BulkSources.STARTING;
    private volatile double share;
    private volatile long edges;
    private volatile long unknownRemovals;

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(GROUP);
        group.gauge(BulkSources.STAGE, (Gauge<String>) () -> name);
        group.gauge(BulkSources.SHARE, (Gauge<Double>) () -> share);
        group.gauge(BulkSources.EDGES, (Gauge<Long>) () -> edges);
        group.gauge(BulkSources.UNKNOWN_REMOVALS, (Gauge<Long>) () -> unknownRemovals);
    }

    void begin(String stage) {
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
