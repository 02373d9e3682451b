package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.process.CampaignCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A seed of the fault campaign, on a cluster of its own: a job that removes edges and vertices, shrinks, and goes on in
 * several tasks, whose process is killed while they take over from one.
 */
final class RemovalFaultsIT {
    private static final long SEED = 4256;

    @TempDir
    private static Path folder;

    @Test
    @Timeout(500)
    void everyEdgeThatIsNotRemovedIsInTheShards() throws Exception {
        CampaignCluster cluster = new CampaignCluster(folder, false, false);
        try {
            cluster.start();
            FaultCampaignIT.requireExact(cluster, SEED);
        } finally {
            cluster.close();
        }
    }
}
