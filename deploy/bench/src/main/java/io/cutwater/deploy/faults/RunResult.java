package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.plan.RunPlan;
import java.util.Locale;

/**
 * Result of a run.
 *
 * @param forms in which {@code rescale} resumed the job; empty for none
 * @param detail the error that names a loss, or what is wrong; empty for an exact run without notes
 */
record RunResult(RunPlan plan, String forms, long edges, Outcome outcome, String detail, double seconds) {
    static final String HEADER = "seed,job,faults,edges,removals,outcome,seconds,detail,forms";

    /** The outcome of a run. */
    enum Outcome {
        /** Every edge is in the committed shards as often as it was ingested and not removed. */
        EXACT("exact"),
        /** The job has stopped with an error that names the loss; only legal where a fault destroys data. */
        STOPPED("stopped with an error that names the loss"),
        FAILED("FAILED");

        private final String label;

        Outcome(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    String csv() {
        return "%d,%s,%s,%d,%d,%s,%s,%s,%s"
                .formatted(
                        plan.seed(),
                        quoted(plan.job().toString()),
                        quoted(plan.faultsText()),
                        plan.edges(),
                        plan.removals(),
                        quoted(outcome.toString()),
                        String.format(Locale.ROOT, "%.1f", seconds),
                        quoted(detail),
                        quoted(forms));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"").replace('\n', ' ') + '"';
    }

    @Override
    public String toString() {
        return "%s%s | %s | %.1f s%s"
                .formatted(
                        plan,
                        forms.isEmpty() ? "" : " | resumed as " + forms,
                        outcome,
                        seconds,
                        detail.isEmpty()
                                ? ""
                                : " | " + detail.lines().findFirst().orElse(""));
    }
}
