package io.cutwater.deploy.cli;

import io.cutwater.deploy.cluster.ClusterParts;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.LiveJobs;
import io.cutwater.flink.cluster.FlinkAddress;
import io.cutwater.flink.job.LiveJobOptions;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The live job to a Flink cluster. */
@Command(
        name = "submit",
        sortOptions = false,
        description =
                "Submits the live job to a Flink 2 cluster: topic edges into shards, for ever. Prints the job's id.",
        footer = {
            "",
            "Example: cutwater submit --flink localhost:8081 --bootstrap-servers localhost:9092 --partitions 32"
        })
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class SubmitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--flink",
            paramLabel = "HOST:PORT",
            description = "Flink's REST endpoint. Default: that of the local cluster")
    private @Nullable String flink;

    @Mixin
    private LiveOptions options;

    @Mixin
    private ClusterFolderOption folder;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        FlinkAddress address = folder.flink(flink);
        Map<String, String> given = options.given();
        ClusterSettings local = folder.settings();
        if (local != null) {
            given.putIfAbsent("bootstrap-servers", local.bootstrapServers());
        }
        LiveJobOptions validated;
        try {
            validated = LiveJobOptions.of(given);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        LiveJobs.Submitted job = new LiveJobs(address, folder.folder()).submit(validated, ClusterParts.find());
        SubmittedText.print(spec.commandLine(), job, common.json);
        return 0;
    }
}
