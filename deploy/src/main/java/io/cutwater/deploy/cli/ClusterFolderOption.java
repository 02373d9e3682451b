package io.cutwater.deploy.cli;

import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.flink.cluster.FlinkAddress;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the local cluster and the records of jobs are. */
final class ClusterFolderOption {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The folder of the local cluster and of the records of jobs. Default: ~/.cutwater/cluster")
    private @Nullable Path folder;

    Path folder() {
        return folder == null ? Path.of(System.getProperty("user.home"), ".cutwater", "cluster") : folder;
    }

    /** The settings of the cluster in the folder; null if there is none. */
    @Nullable ClusterSettings settings() throws IOException {
        return ClusterSettings.read(folder());
    }

    /** The address that is given, else that of the cluster in the folder. */
    FlinkAddress flink(@Nullable String given) throws IOException {
        ClusterSettings settings = settings();
        if (given == null && settings == null) {
            throw wrong(
                    "there is no local cluster in %s; give --flink HOST:PORT, or start one with ./cutwater cluster start"
                            .formatted(folder()));
        }
        try {
            return FlinkAddress.parse(given == null && settings != null ? settings.flink() : String.valueOf(given));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
