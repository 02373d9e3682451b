package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.process.CampaignCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The seed of the fault campaign for the usual run: a job that grows while processes pause, on a cluster of its own.
 */
final class UsualFaultsIT {
    private static final long SEED = 119;

    @TempDir
    private static Path folder;

    @Test
    @Timeout(500)
    void everyEdgeIsInTheShardsAsOftenAsItWasIngested() throws Exception {
        CampaignCluster cluster = new CampaignCluster(folder, false, false);
        try {
            cluster.start();
            FaultCampaignIT.requireExact(cluster, SEED);
        } finally {
            cluster.close();
        }
    }
}
