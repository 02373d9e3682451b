package io.cutwater.deploy.cli.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cluster.LocalCluster;
import io.cutwater.deploy.cluster.ProcessEnd;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops the local cluster. */
@Command(
        name = "stop",
        sortOptions = false,
        description =
                "Stops the processes of the local cluster. Topics, checkpoints and savepoints stay in its folder.",
        footer = {"", "Example: cutwater cluster stop"})
@Heading("Local cluster")
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class ClusterStopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterFolderOption folder;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "Time after which a process is killed. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofSeconds(30);

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        LocalCluster cluster = new LocalCluster(
                folder.folder(), common.display(spec.commandLine().getErr())::say);
        Map<String, ProcessEnd> ends = cluster.stop(timeout);
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode document = JsonText.object().put("dir", folder.folder().toString());
            ObjectNode processes = document.putObject("processes");
            ends.forEach((name, end) -> processes.put(name, words(end)));
            JsonText.print(out, document);
        } else if (ends.values().stream().allMatch(end -> end == ProcessEnd.WAS_NOT_RUNNING)) {
            out.println("No process of the cluster in %s was running.".formatted(folder.folder()));
        } else {
            ends.forEach((name, end) -> out.println("%-16s %s".formatted(name, words(end))));
        }
        out.flush();
        return 0;
    }

    private static String words(ProcessEnd end) {
        return end.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
