package io.cutwater.deploy.cli.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.flink.job.LivePartitionJob;
import picocli.CommandLine;

/** Prints a submitted job: its id to standard output, for scripts, and the rest to standard error. */
final class SubmittedText {
    private SubmittedText() {}

    /** @param page the address of the job on Flink's web page */
    static void print(CommandLine line, LiveJobs.Submitted job, String page, boolean json) {
        LivePartitionJob.warnings(job.options())
                .forEach(warning -> line.getErr().println("cutwater: warning: " + warning));
        if (json) {
            ObjectNode document = JsonText.object()
                    .put("job", job.id())
                    .put("algorithm", job.options().partitioner().algorithm())
                    .put("partitions", job.options().partitioner().partitionCount())
                    .put("seed", job.options().partitioner().seed())
                    .put("maxParallelism", job.options().maxParallelism())
                    .put("parallelism", job.options().parallelism())
                    .put("assigners", job.options().assigners())
                    .put("topology", job.options().spread() == null ? "fused" : "distributed");
            document.put("page", page);
            if (job.options().history() != null) {
                document.put("bootstrap", job.options().history().toString());
            }
            if (job.restoredFrom() != null) {
                document.put("restoredFrom", job.restoredFrom());
            }
            JsonText.print(line.getOut(), document);
            return;
        }
        line.getErr().println(LivePartitionJob.description(job.options()));
        if (job.restoredFrom() != null) {
            line.getErr().println("restored from " + job.restoredFrom());
        }
        line.getErr().println("Flink's page of the job: " + page);
        line.getOut().println(job.id());
        line.getOut().flush();
    }
}
