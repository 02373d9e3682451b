package io.cutwater.kafka.record;

import io.cutwater.state.quality.QualityReport;

/**
 * The report of one run: {@code report.json} and topic {@code quality}; see {@link ReportJson}.
 *
 * @param algorithm its name on the command line
 * @param kind {@code edge}: the quality report is that of an edge partitioning
 * @param seed of the partitioner
 * @param seconds wall time of the work, finite and at least 0
 * @param edgesPerSecond finite and at least 0
 * @param peakMemoryBytes largest memory of the process, at least 0
 */
public record RunReport(
        String algorithm,
        String kind,
        long seed,
        QualityReport quality,
        double seconds,
        double edgesPerSecond,
        long peakMemoryBytes) {
    public static final String EDGE = "edge";

    public RunReport {
        if (!kind.equals(EDGE)) {
            throw new IllegalArgumentException("kind must be edge: " + kind);
        }
        checkFinite("seconds", seconds);
        checkFinite("edgesPerSecond", edgesPerSecond);
        if (peakMemoryBytes < 0) {
            throw new IllegalArgumentException("peakMemoryBytes must be at least 0: " + peakMemoryBytes);
        }
    }

    private static void checkFinite(String name, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("%s must be finite and at least 0: %s".formatted(name, value));
        }
    }
}
