package io.cutwater.flink.operator;

import io.cutwater.state.partition.EdgeAssigner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The assigner's gauges. Read by reporter threads: a value may be a moment old, never wrong for longer. */
final class AssignMetrics {
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final EdgeAssigner assigner;
    private final LongSupplier deadLetters;

    AssignMetrics(VertexTable vertices, PartitionLoads loads, EdgeAssigner assigner, LongSupplier deadLetters) {
        this.vertices = vertices;
        this.loads = loads;
        this.assigner = assigner;
        this.deadLetters = deadLetters;
    }

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup("cutwater");
        group.gauge("edges", (Gauge<Long>) loads::totalEdges);
        group.gauge("waitingEdges", (Gauge<Integer>) assigner::heldCount);
        group.gauge("vertices", (Gauge<Long>) loads::totalVertices);
        group.gauge("deadLetters", (Gauge<Long>) deadLetters::getAsLong);
        group.gauge("replicationFactor", (Gauge<Double>) this::replicationFactor);
        group.gauge("edgeBalance", (Gauge<Double>) this::edgeBalance);
        group.gauge("cacheHitRate", (Gauge<Double>) this::cacheHitRate);
        group.gauge("cachedVertices", (Gauge<Integer>) vertices::size);
        group.gauge("dirtyVertices", (Gauge<Integer>) vertices::dirtyCount);
        group.gauge("cacheBytes", (Gauge<Long>) vertices::bytes);
    }

    private double replicationFactor() {
        long total = loads.totalVertices();
        return total == 0 ? 1.0 : (double) loads.totalReplicas() / total;
    }

    private double edgeBalance() {
        long total = loads.totalEdges();
        return total == 0 ? 1.0 : (double) loads.maxEdges() * loads.partitionCount() / total;
    }

    private double cacheHitRate() {
        long asked = vertices.hits() + vertices.misses();
        return asked == 0 ? 1.0 : (double) vertices.hits() / asked;
    }
}
