package io.cutwater.flink.operator;

import io.cutwater.state.loop.BatchAssigner;
import io.cutwater.state.loop.BucketTable;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The gauges of the distributed topology. Read by reporter threads: a value may be a moment old. */
final class LoopMetrics {
    private final MetricGroup group;

    LoopMetrics(MetricGroup operator) {
        group = operator.addGroup("cutwater");
    }

    void register(VertexTable vertices, BucketTable table, UpdateSource.Reader updates) {
        group.gauge("cachedVertices", (Gauge<Integer>) vertices::size);
        group.gauge("dirtyVertices", (Gauge<Integer>) vertices::dirtyCount);
        group.gauge("cacheBytes", (Gauge<Long>) vertices::bytes);
        group.gauge("appliedUpdates", (Gauge<Long>) table::applied);
        group.gauge("duplicateUpdates", (Gauge<Long>) table::duplicates);
        group.gauge("staleUpdates", (Gauge<Long>) table::stale);
        group.gauge("malformedUpdates", (Gauge<Long>) updates::malformed);
    }

    void register(PartitionLoads loads, BatchAssigner assigner) {
        group.gauge("edges", (Gauge<Long>) loads::totalEdges);
        group.gauge("waitingBatches", (Gauge<Integer>) assigner::waitingBatches);
        group.gauge("unconfirmedUpdates", (Gauge<Long>) assigner::unconfirmedUpdates);
        group.gauge("overlayVertices", (Gauge<Integer>) assigner::overlayVertices);
    }
}
