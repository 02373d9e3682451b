package io.cutwater.deploy.cluster.job;

import io.cutwater.flink.connector.bulk.work.BulkStage;
import java.util.Locale;
import java.util.Map;

/**
 * Stage of a bootstrapped job.
 *
 * @param name {@code reading} and {@code placing} while nothing of the history has been emitted, {@code emitting} while
 *     it is emitted, {@code live} afterwards
 * @param pass that places the history; empty unless it is being placed
 * @param share progress of that pass, 0 to 1
 */
public record BootstrapStage(String name, String pass, double share) {
    /** @param metrics of the job's source, by name, the stage among them */
    static BootstrapStage of(Map<String, String> metrics) {
        String stage = metrics.getOrDefault(BulkStage.STAGE, BulkStage.STARTING);
        return switch (stage) {
            case BulkStage.DONE -> new BootstrapStage("live", "", 0);
            case BulkStage.STARTING, BulkStage.READING -> new BootstrapStage("reading", "", 0);
            case BulkStage.EMITTING -> new BootstrapStage("emitting", "", 0);
            default ->
                new BootstrapStage("placing", stage, Double.parseDouble(metrics.getOrDefault(BulkStage.SHARE, "0")));
        };
    }

    /** Returns the stage as text for users. */
    public String sentence() {
        return switch (name) {
            case "live" -> "live, after its history";
            case "reading" -> "reads its history for the bulk passes";
            case "emitting" -> "emits its placed history";
            default -> String.format(Locale.ROOT, "places its history: %s, %.0f %%", pass, 100 * share);
        };
    }
}
