package io.cutwater.kafka.record;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.VertexQuality;

/**
 * The report of one run: {@code report.json} and topic {@code quality}; see {@link ReportJson}.
 *
 * @param algorithm its name on the command line
 * @param seed of the partitioner
 * @param seconds wall time of the work, finite and at least 0
 * @param peakMemoryBytes largest memory of the process, at least 0
 */
public record RunReport(String algorithm, long seed, Quality quality, double seconds, long peakMemoryBytes) {
    public RunReport {
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("seconds must be finite and at least 0: " + seconds);
        }
        if (peakMemoryBytes < 0) {
            throw new IllegalArgumentException("peakMemoryBytes must be at least 0: " + peakMemoryBytes);
        }
    }

    public PartitioningKind kind() {
        return quality instanceof VertexQuality ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
    }

    /** 0 if no time has passed, or so little that the rate is no number. */
    public double edgesPerSecond() {
        double rate = seconds > 0 ? quality.edges() / seconds : 0;
        return Double.isFinite(rate) ? rate : 0;
    }
}
