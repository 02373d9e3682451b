package io.cutwater.deploy.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cluster.ClusterStatus;
import io.cutwater.deploy.cluster.ClusterStatus.ProcessStatus;
import io.cutwater.deploy.cluster.LocalCluster;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the health of the local cluster. */
@Command(
        name = "status",
        sortOptions = false,
        description = "Shows whether each process of the local cluster is healthy. The exit code is 1 if one is not.",
        footer = {"", "Example: cutwater cluster status --json"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class ClusterStatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterFolderOption folder;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        ClusterStatus status = new LocalCluster(folder.folder(), sentence -> {}).status();
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            JsonText.print(out, document(status));
        } else if (status == null) {
            out.println("There is no cluster in %s.".formatted(folder.folder()));
        } else {
            status.processes().forEach(process -> out.println(line(process)));
        }
        out.flush();
        return status != null && status.isHealthy() ? 0 : ExitCode.SOFTWARE;
    }

    private static String line(ProcessStatus process) {
        return "%-16s %-8s %s".formatted(process.name(), process.pid() == 0 ? "-" : process.pid(), process.detail());
    }

    private ObjectNode document(@Nullable ClusterStatus status) {
        ObjectNode document = JsonText.object().put("dir", folder.folder().toString());
        document.put("healthy", status != null && status.isHealthy());
        document.put("running", status != null && status.isRunning());
        if (status == null) {
            return document;
        }
        document.put("bootstrapServers", status.settings().bootstrapServers());
        document.put("flink", status.settings().flink());
        if (!status.settings().metricsPorts().isEmpty()) {
            document.put("metricsPorts", status.settings().metricsPorts());
        }
        if (status.settings().prometheusPort() != 0) {
            document.put("prometheus", status.settings().prometheus());
        }
        ArrayNode processes = document.putArray("processes");
        for (ProcessStatus process : status.processes()) {
            ObjectNode tree = processes
                    .addObject()
                    .put("name", process.name())
                    .put("pid", process.pid())
                    .put("healthy", process.isHealthy())
                    .put("detail", process.detail());
            status.settings().metricsPort(process.name()).ifPresent(port -> tree.put("metricsPort", port));
        }
        return document;
    }
}
