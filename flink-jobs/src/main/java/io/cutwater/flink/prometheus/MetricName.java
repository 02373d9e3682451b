package io.cutwater.flink.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Name of a metric in Prometheus: lower case with underscores, base units, and no suffix that Prometheus reserves
 * (prometheus.io/docs/practices/naming).
 *
 * @param text name without the suffix of counters
 * @param isCounter whether the value only grows
 * @param scale factor from the value in Flink to the unit of the name
 */
record MetricName(String text, boolean isCounter, double scale) {
    private static final String OURS = "cutwater";
    private static final String SECONDS = "seconds";
    private static final Map<String, Double> SHARES_OF_SECONDS = Map.of(
            "ms", 1e-3, "millis", 1e-3, "milliseconds", 1e-3, "us", 1e-6, "micros", 1e-6, "ns", 1e-9, "nanos", 1e-9);
    /** Last words that belong to other types of metrics. */
    private static final Map<String, String> RESERVED =
            Map.of("count", "number", "sum", "amount", "bucket", "buckets", "info", "details", "created", "creations");

    /**
     * Returns the name of a metric. Those of the group {@code cutwater} are called {@code cutwater_…}, wherever the
     * group is, the others {@code flink_…} with their scope.
     *
     * @param scope words of the logical scope, such as {@code taskmanager.job.task.operator}
     * @param isCounter whether Flink has it as a counter
     */
    static MetricName of(String scope, String name, boolean isCounter) {
        boolean isOurs = isOurs(scope);
        List<String> words = new ArrayList<>(
                List.of(snakeCase(isOurs ? name : scope + "_" + name).split("_")));
        words.removeIf(String::isEmpty);
        double scale = 1;
        for (int i = 0; i < words.size(); i++) {
            Double share = SHARES_OF_SECONDS.get(words.get(i));
            if (share != null) {
                scale = share;
                words.set(i, SECONDS);
            }
        }
        int last = words.size() - 1;
        // Kafka's clients call values that only grow NAME-total; Flink's gauge taskSlotsTotal can also fall.
        boolean isTotal = name.endsWith("-total");
        if (words.get(last).equals("total")) {
            words.remove(last);
        } else {
            words.set(last, RESERVED.getOrDefault(words.get(last), words.get(last)));
        }
        boolean isGrowing = isCounter || isTotal || isOurs && JobMetrics.isCounter(name);
        return new MetricName((isOurs ? "cutwater_" : "flink_") + String.join("_", words), isGrowing, scale);
    }

    /** Returns whether the last word of a scope is the group of our metrics. */
    static boolean isOurs(String scope) {
        return scope.equals(OURS) || scope.endsWith("." + OURS);
    }

    /** Returns words in camel case, or with other characters between them, in lower case with underscores. */
    static String snakeCase(String text) {
        return text.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z]+)([A-Z][a-z])", "$1_$2")
                .replaceAll("[^A-Za-z0-9]+", "_")
                .toLowerCase(Locale.ROOT);
    }
}
