package io.cutwater.flink.operator;

import io.cutwater.flink.repartition.Repartitioning;
import io.cutwater.kafka.record.PlanStatus;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** What a re-partitioning shows beside {@link AssignMetrics}; zero and {@code idle} while there is none. */
final class RepartitioningMetrics {
    private static final String IDLE = "idle";

    private final Repartitioning repartitioning;

    RepartitioningMetrics(Repartitioning repartitioning) {
        this.repartitioning = repartitioning;
    }

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(AssignMetrics.GROUP);
        group.gauge("generation", (Gauge<Long>) repartitioning::generation);
        group.gauge("repartitionState", (Gauge<String>) this::state);
        group.gauge("repartitionEdgesToMove", (Gauge<Long>) () -> count(PlanStatus::edgesToMove));
        group.gauge("repartitionEdgesMoved", (Gauge<Long>) () -> count(PlanStatus::edgesMoved));
    }

    private String state() {
        PlanStatus status = repartitioning.status();
        return status == null ? IDLE : status.state().label();
    }

    private long count(ToLongFunction<PlanStatus> figure) {
        PlanStatus status = repartitioning.status();
        return status == null ? 0 : figure.applyAsLong(status);
    }
}
