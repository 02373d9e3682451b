package io.cutwater.deploy.cli;

import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.LiveJobs;
import io.cutwater.flink.cluster.FlinkAddress;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which Flink cluster the live jobs are on, and where their records are. */
final class FlinkOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--flink",
            paramLabel = "HOST:PORT",
            description = "Flink's REST endpoint. Default: that of the local cluster")
    private @Nullable String flink;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ClusterFolderOption folder;

    /** The jobs of the cluster that is given, else of the local one. */
    LiveJobs jobs() throws IOException {
        return new LiveJobs(address(), folder.folder());
    }

    private FlinkAddress address() throws IOException {
        ClusterSettings local = local();
        String given = flink != null ? flink : local == null ? null : local.flink();
        if (given == null) {
            throw wrong(
                    "there is no local cluster in %s; give --flink HOST:PORT, or start one with ./cutwater cluster start"
                            .formatted(folder.folder()));
        }
        try {
            return FlinkAddress.parse(given);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** The settings of the local cluster; null if there is none. */
    @Nullable ClusterSettings local() throws IOException {
        return folder.settings();
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
