package io.cutwater.flink.job;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Metrics of an embedded job, readable in the process that runs it: those of the metric group {@code cutwater}, and
 * Flink's of checkpoints ({@code lastCheckpoint…}). Flink creates the reporter from the factory's class name; the
 * factory finds this object by the number of the run.
 */
public final class EmbeddedMetrics implements MetricReporter {
    private static final String RUN = "run";
    private static final String MARKER = ".cutwater.";
    private static final String CHECKPOINTS = "lastCheckpoint";
    private static final Map<String, EmbeddedMetrics> RUNS = new ConcurrentHashMap<>();

    private static final AtomicLong NEXT_RUN = new AtomicLong();

    private final Map<String, Metric> metrics = new ConcurrentHashMap<>();
    private final Map<String, Metric> metricsOfTasks = new ConcurrentHashMap<>();

    private EmbeddedMetrics() {}

    /** Adds a reporter to the configuration of a cluster, and returns its metrics. */
    static EmbeddedMetrics of(Configuration configuration) {
        EmbeddedMetrics metrics = new EmbeddedMetrics();
        String run = Long.toString(NEXT_RUN.getAndIncrement());
        RUNS.put(run, metrics);
        configuration.setString("metrics.reporter.embedded.factory.class", Factory.class.getName());
        configuration.setString("metrics.reporter.embedded." + RUN, run);
        return metrics;
    }

    /**
     * Returns the value of a gauge, or the rate of a meter, by its name in {@code deploy/docs/reference/metrics.md};
     * empty if there is none.
     */
    public OptionalDouble value(String name) {
        Metric metric = metrics.get(name);
        if (metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number) {
            return OptionalDouble.of(number.doubleValue());
        }
        return metric instanceof Meter meter ? OptionalDouble.of(meter.getRate()) : OptionalDouble.empty();
    }

    /** Returns the sum of a gauge over the tasks that have it; 0 if none has. */
    public double sum(String name) {
        return metricsOfTasks.entrySet().stream()
                .filter(metric -> metric.getKey().endsWith(MARKER + name))
                .mapToDouble(metric ->
                        metric.getValue() instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
                                ? number.doubleValue()
                                : 0)
                .sum();
    }

    /** Returns the value of a text gauge; empty if there is none. */
    public Optional<String> text(String name) {
        return metrics.get(name) instanceof Gauge<?> gauge && gauge.getValue() instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (name.startsWith(CHECKPOINTS) || group.getMetricIdentifier(name).contains(MARKER)) {
            metrics.put(name, metric);
            metricsOfTasks.put(group.getMetricIdentifier(name), metric);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        // The values of a job that has ended stay readable; a restarted one replaces them.
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {
        RUNS.values().remove(this);
    }

    /** Factory that Flink instantiates by its class name. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            EmbeddedMetrics metrics = RUNS.get(properties.getProperty(RUN, ""));
            return metrics == null ? new EmbeddedMetrics() : metrics;
        }
    }
}
