package io.cutwater.flink.operator.assigner;

import io.cutwater.state.quality.Quality;
import java.util.function.Supplier;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** Gauges that both topologies have: the quality of a partitioning, and the time between checkpoints. */
public final class QualityMetrics {
    /** Metric group of Cutwater's operators. */
    public static final String GROUP = "cutwater";

    private QualityMetrics() {}

    /**
     * Adds the time between checkpoints, with which alerts compare the age of the last one; nothing if the job takes
     * none.
     *
     * @param job configuration of the job
     */
    static void registerInterval(MetricGroup operator, Configuration job) {
        job.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                .ifPresent(interval ->
                        operator.addGroup(GROUP).gauge("checkpointIntervalMillis", (Gauge<Long>) interval::toMillis));
    }

    /** Adds a gauge for each ratio that applies, under its published name. */
    public static void registerRatios(MetricGroup group, Supplier<Quality> quality) {
        for (String name : quality.get().ratios().keySet()) {
            group.gauge(name, (Gauge<Double>) () -> quality.get().ratios().get(name));
        }
    }
}
