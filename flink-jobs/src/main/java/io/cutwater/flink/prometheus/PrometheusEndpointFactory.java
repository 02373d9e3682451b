package io.cutwater.flink.prometheus;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Makes the {@link PrometheusEndpoint} of a Flink process. It is no nested class, because scripts that expand variables
 * in a configuration file, such as that of Flink's container image, would take a part of its name for one.
 */
public final class PrometheusEndpointFactory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return new PrometheusEndpoint();
    }
}
