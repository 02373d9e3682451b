package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.cluster.ClusterFolderOption;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.ReadableFile;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.OwnBroker;
import io.cutwater.deploy.cluster.job.LiveJobs;
import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The Flink cluster of the live jobs, and the folder of their records. */
@Heading("Flink")
final class FlinkOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--flink",
            paramLabel = "[https://]HOST:PORT",
            description = "Flink's REST endpoint. Default: that of the local cluster")
    private @Nullable String flink;

    @Option(
            names = "--flink-properties",
            paramLabel = "FILE",
            description = "With https: file with TLS stores and login, as Flink names them.")
    private @Nullable Path properties;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ClusterFolderOption folder;

    /** The jobs of the given cluster, or of the local one. */
    LiveJobs jobs() throws IOException {
        ClusterSettings local = local();
        FlinkAddress address = address(local);
        if (local != null && isLocal(address, local)) {
            if (properties != null) {
                throw wrong(
                        "--flink-properties is for other clusters; the key of the local one is in %s, so leave it out"
                                .formatted(folder.folder()));
            }
            return new LiveJobs(
                    local.flink(folder.folder()), ClusterSettings.credentials(folder.folder()), folder.folder());
        }
        return new LiveJobs(address, credentials(address), folder.folder());
    }

    /** Returns whether a cluster is given. */
    boolean isGiven() {
        return flink != null;
    }

    private static boolean isLocal(FlinkAddress address, ClusterSettings local) {
        return (address.host() + ":" + address.port())
                .replace("localhost:", "127.0.0.1:")
                .equals(local.flink());
    }

    private FlinkCredentials credentials(FlinkAddress address) {
        if (properties == null) {
            return FlinkCredentials.NONE;
        }
        if (!address.isSecure()) {
            throw wrong("--flink-properties needs HTTPS; give --flink https://" + address);
        }
        ReadableFile.require(spec, "--flink-properties", properties);
        try {
            return FlinkCredentials.read(properties);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private FlinkAddress address(@Nullable ClusterSettings local) {
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

    /** Refuses the broker of another user at the address of the local cluster. */
    void requireOwnBroker(String bootstrapServers) throws IOException {
        OwnBroker.require(folder.folder(), bootstrapServers);
    }

    /** The settings of the local cluster; null if there is none. */
    @Nullable ClusterSettings local() throws IOException {
        return folder.settings();
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
