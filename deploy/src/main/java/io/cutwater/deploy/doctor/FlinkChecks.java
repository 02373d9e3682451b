package io.cutwater.deploy.doctor;

import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.deploy.cluster.rest.ClusterSlots;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Checks of a Flink cluster for the live job. */
public final class FlinkChecks {
    private static final String FLINK = "Flink";

    private FlinkChecks() {}

    /** Asks the cluster. */
    public static List<Finding> all(LiveJobs jobs) {
        List<Finding> findings = new ArrayList<>();
        try {
            LiveJobs.ClusterFacts facts = jobs.facts();
            findings.add(version(facts.version()));
            findings.add(slots(facts.slots()));
            findings.add(
                    facts.checkpointFolder() == null
                            ? Finding.failed(
                                    FLINK,
                                    "the cluster has no folder for checkpoints",
                                    "set execution.checkpointing.dir there, or give submit --checkpoint-dir")
                            : Finding.ok(FLINK, "checkpoints go to " + facts.checkpointFolder()));
        } catch (IOException e) {
            findings.add(Finding.failed(
                    FLINK, String.valueOf(e.getMessage()), "check --flink, or run ./cutwater cluster start"));
        }
        return findings;
    }

    /** Returns the finding about a version of Flink. */
    static Finding version(String version) {
        return version.startsWith("2.")
                ? Finding.ok(FLINK, "the cluster runs Flink " + version)
                : Finding.failed(FLINK, "the cluster runs Flink " + version, "use a cluster with Flink 2");
    }

    /** Returns the finding about free slots. */
    static Finding slots(ClusterSlots slots) {
        String text = "%d of %s %s free"
                .formatted(slots.free(), Counted.of(slots.total(), "slot"), Counted.are(slots.free()));
        return slots.suffice(1)
                ? Finding.ok(FLINK, text)
                : Finding.warning(FLINK, text, "stop a job, or add TaskManagers before submit");
    }
}
