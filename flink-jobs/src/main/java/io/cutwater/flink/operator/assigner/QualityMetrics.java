package io.cutwater.flink.operator.assigner;

import io.cutwater.state.quality.Quality;
import java.util.function.Supplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Gauges of the quality of a partitioning, which both topologies have. */
public final class QualityMetrics {
    /** Metric group of Cutwater's operators. */
    public static final String GROUP = "cutwater";

    private QualityMetrics() {}

    /** Adds a gauge for each ratio that applies, under its published name. */
    public static void registerRatios(MetricGroup group, Supplier<Quality> quality) {
        for (String name : quality.get().ratios().keySet()) {
            group.gauge(name, (Gauge<Double>) () -> quality.get().ratios().get(name));
        }
    }
}
