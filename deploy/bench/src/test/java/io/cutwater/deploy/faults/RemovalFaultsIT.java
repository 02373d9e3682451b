package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.process.CampaignCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A seed of the fault campaign whose job has removals and shrinks, on a cluster of its own. */
final class RemovalFaultsIT {
    private static final long SEED = 119;

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
