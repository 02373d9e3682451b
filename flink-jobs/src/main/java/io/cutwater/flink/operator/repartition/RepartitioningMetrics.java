package io.cutwater.flink.operator.repartition;

import io.cutwater.flink.operator.assigner.QualityMetrics;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.Repartitioning;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Metrics of re-partitionings; zeros while none runs. */
final class RepartitioningMetrics {
    private final Supplier<Repartitioning> repartitioning;

    RepartitioningMetrics(Supplier<Repartitioning> repartitioning) {
        this.repartitioning = repartitioning;
    }

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(QualityMetrics.GROUP);
        group.gauge("generation", (Gauge<Long>) () -> repartitioning.get().generation());
        group.gauge("repartitionState", (Gauge<Integer>) this::state);
        group.gauge("repartitionEdgesToMove", (Gauge<Long>) () -> count(RepartitionStatus::edgesToMove));
        group.gauge("repartitionEdgesMoved", (Gauge<Long>) () -> count(RepartitionStatus::edgesMoved));
        group.gauge("planReplicationFactor", (Gauge<Double>) this::planned);
    }

    private double planned() {
        RepartitionStatus last = repartitioning.get().lastDone();
        return last == null ? Double.NaN : last.after().getOrDefault("replicationFactor", Double.NaN);
    }

    /** Returns the state as a number, because Prometheus has no text values: 1 collecting, 2 planning, 3 moving. */
    private int state() {
        RepartitionStatus status = repartitioning.get().status();
        return status == null ? 0 : status.state().ordinal() + 1;
    }

    private long count(ToLongFunction<RepartitionStatus> figure) {
        RepartitionStatus status = repartitioning.get().status();
        return status == null ? 0 : figure.applyAsLong(status);
    }
}
