package io.cutwater.deploy.bench.speed;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs test classes of the class path, in a process of its own, because PyTorch may end it. */
public final class NumericsRun {
    private NumericsRun() {}

    /** Runs the named classes; the last line is a summary, and the exit code 1 if a test has failed. */
    public static void main(String[] classes) {
        System.exit(run(Arrays.asList(classes), System.out));
    }

    static int run(List<String> classes, PrintStream out) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes.stream().map(name -> selectClass(name)).toList())
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            out.printf(
                    "%s: %s%n",
                    failure.getTestIdentifier().getDisplayName(),
                    String.valueOf(failure.getException()).lines().findFirst().orElse(""));
        }
        out.printf(
                "%d tests passed, %d failed, %d skipped%n",
                summary.getTestsSucceededCount(), summary.getTotalFailureCount(), summary.getTestsSkippedCount());
        return summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0 ? 0 : 1;
    }
}
