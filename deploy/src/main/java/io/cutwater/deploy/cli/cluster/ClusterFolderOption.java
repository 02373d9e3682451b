package io.cutwater.deploy.cli.cluster;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cluster.ClusterFolder;
import io.cutwater.deploy.cluster.ClusterSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder of the local cluster and of job records. */
@Heading("Local cluster")
public final class ClusterFolderOption {
    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder of the local cluster and of job records. Default: that of CUTWATER_CLUSTER,"
                    + " or ~/.cutwater/cluster")
    private @Nullable Path folder;

    public Path folder() {
        return folder == null ? ClusterFolder.standard() : folder;
    }

    /** Returns whether commands use the folder without this option. */
    public boolean isStandard() {
        return ClusterFolder.standard().equals(folder());
    }

    /** The settings of the cluster in the folder; null if there is none. */
    public @Nullable ClusterSettings settings() throws IOException {
        return ClusterSettings.read(folder());
    }
}
