package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.text.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The state of a graph as one sentence. */
final class PageSentence {
    private PageSentence() {}

    /**
     * Returns the sentence.
     *
     * @param newest the newest report of topic {@code quality}; null if there is none
     * @param rate edges per second; NaN if it is not known
     * @param silence seconds since that report
     * @param running the re-partitioning that has not ended; null for none
     * @param prefix of the topics
     */
    static String of(
            @Nullable JsonNode newest,
            double rate,
            double silence,
            @Nullable RepartitionStatus running,
            String prefix) {
        if (newest == null) {
            return prefix.isEmpty()
                    ? "No job has committed a report yet."
                    : "No job has committed a report to topics %s* yet.".formatted(prefix);
        }
        List<String> parts = new ArrayList<>();
        if (silence > 60) {
            parts.add("No report for %s".formatted(duration(silence)));
        } else if (Double.isNaN(rate) || Math.abs(rate) < 0.5) {
            parts.add("No new edges");
        } else if (rate < 0) {
            parts.add(String.format(Locale.ROOT, "Removing %,.0f edges/s", -rate));
        } else {
            parts.add(String.format(Locale.ROOT, "Placing %,.0f edges/s", rate));
        }
        parts.add(
                newest.has("edgeCutRatio")
                        ? String.format(
                                Locale.ROOT,
                                "edge-cut ratio %.3f, vertex balance %.3f",
                                newest.path("edgeCutRatio").doubleValue(),
                                newest.path("vertexBalance").doubleValue())
                        : String.format(
                                Locale.ROOT,
                                "replication factor %.2f, edge balance %.3f",
                                newest.path("replicationFactor").doubleValue(),
                                newest.path("edgeBalance").doubleValue()));
        if (running != null) {
            parts.add(repartitioning(running));
        }
        return String.join("; ", parts) + ".";
    }

    private static String repartitioning(RepartitionStatus running) {
        String change = running.partitionsBefore() == running.partitions()
                ? Counted.of(running.partitions(), "partition")
                : "from %d to %s".formatted(running.partitionsBefore(), Counted.of(running.partitions(), "partition"));
        return running.edgesToMove() == 0
                ? "re-partitioning %s: %s".formatted(change, running.state().label())
                : String.format(
                        Locale.ROOT,
                        "re-partitioning %s: %s, %.0f %%",
                        change,
                        running.state().label(),
                        100.0 * running.edgesMoved() / running.edgesToMove());
    }

    private static String duration(double seconds) {
        return seconds < 120
                ? "%.0f s".formatted(seconds)
                : seconds < 7200 ? "%.0f minutes".formatted(seconds / 60) : "%.0f hours".formatted(seconds / 3600);
    }
}
