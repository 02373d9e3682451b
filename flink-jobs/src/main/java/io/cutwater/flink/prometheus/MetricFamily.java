package io.cutwater.flink.prometheus;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;
import org.apache.flink.metrics.Meter;
import org.apache.flink.metrics.Metric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of one name and type, one for each set of labels. Not thread-safe. */
final class MetricFamily {
    private static final Logger LOG = LoggerFactory.getLogger(MetricFamily.class);
    private static final double[] QUANTILES = {0.5, 0.95, 0.99};

    private final MetricName name;
    private final String help;
    private final boolean isSummary;
    /** A restarted task registers its metrics again, at times before the old ones are removed. */
    private final Map<Labels, Metric> metrics = new HashMap<>();

    MetricFamily(MetricName name, String help, boolean isSummary) {
        this.name = name;
        this.help = help;
        this.isSummary = isSummary;
    }

    /** Returns whether a metric of this name and type belongs here: Prometheus allows one type per name. */
    boolean takes(MetricName other, Metric metric) {
        return name.equals(other) && isSummary == metric instanceof Histogram;
    }

    void put(Labels labels, Metric metric) {
        metrics.put(labels, metric);
    }

    /** Removes a metric, unless another one has taken its place. */
    void remove(Labels labels, Metric metric) {
        metrics.remove(labels, metric);
    }

    boolean isEmpty() {
        return metrics.isEmpty();
    }

    /** Reads the values; those that are no numbers are left out. */
    MetricSnapshot snapshot() {
        if (isSummary) {
            SummarySnapshot.Builder summary =
                    SummarySnapshot.builder().name(name.text()).help(help);
            metrics.forEach((labels, metric) -> {
                if (metric instanceof Histogram histogram) {
                    summary.dataPoint(summary(histogram, labels));
                }
            });
            return summary.build();
        }
        if (name.isCounter()) {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(name.text()).help(help);
            metrics.forEach((labels, metric) -> value(metric)
                    .filter(value -> value >= 0)
                    .forEach(value -> counter.dataPoint(CounterDataPointSnapshot.builder()
                            .labels(labels)
                            .value(value)
                            .build())));
            return counter.build();
        }
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name.text()).help(help);
        metrics.forEach((labels, metric) -> value(metric)
                .forEach(value -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value)
                        .build())));
        return gauge.build();
    }

    private Stream<Double> value(Metric metric) {
        OptionalDouble value = OptionalDouble.empty();
        try {
            value = number(metric);
        } catch (RuntimeException e) {
            // A gauge reads what its task may be closing.
            LOG.debug("metric {} has no value now", name.text(), e);
        }
        return value.stream().mapToObj(number -> number * name.scale());
    }

    private static OptionalDouble number(Metric metric) {
        if (metric instanceof Counter counter) {
            return OptionalDouble.of(counter.getCount());
        }
        if (metric instanceof Meter meter) {
            return OptionalDouble.of(meter.getRate());
        }
        Object value = metric instanceof Gauge<?> gauge ? gauge.getValue() : null;
        if (value instanceof Boolean flag) {
            return OptionalDouble.of(flag ? 1 : 0);
        }
        return value instanceof Number number ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
    }

    private SummaryDataPointSnapshot summary(Histogram histogram, Labels labels) {
        HistogramStatistics statistics = histogram.getStatistics();
        Quantiles.Builder quantiles = Quantiles.builder();
        for (double quantile : QUANTILES) {
            quantiles.quantile(new Quantile(quantile, statistics.getQuantile(quantile) * name.scale()));
        }
        return SummaryDataPointSnapshot.builder()
                .labels(labels)
                .count(histogram.getCount())
                .quantiles(quantiles.build())
                .build();
    }
}
