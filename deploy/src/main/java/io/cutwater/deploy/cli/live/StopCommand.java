package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stops a live job with a savepoint. */
@Command(
        name = "stop",
        sortOptions = false,
        description = "Stops a live job with a savepoint, and prints its path. cutwater resume continues from there.",
        footer = {"", "Example: cutwater stop"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class StopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "JOB", description = "Id of the job. Default: the only one that runs")
    private @Nullable String job;

    @Option(
            names = "--savepoint-dir",
            paramLabel = "PATH",
            description = "Folder of the savepoint. Default: that of the cluster")
    private @Nullable String savepointFolder;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = "Longest wait for the savepoint. Default: ${DEFAULT-VALUE}")
    private Duration timeout = Duration.ofMinutes(5);

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        Map.Entry<String, String> stopped = flink.jobs().stop(job, savepointFolder, timeout, sentence -> {
            err.println("cutwater: waiting: " + sentence);
            err.flush();
        });
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            JsonText.print(out, JsonText.object().put("job", stopped.getKey()).put("savepoint", stopped.getValue()));
        } else {
            err.println("job %s has stopped".formatted(stopped.getKey()));
            out.println(stopped.getValue());
            out.flush();
        }
        return 0;
    }
}
