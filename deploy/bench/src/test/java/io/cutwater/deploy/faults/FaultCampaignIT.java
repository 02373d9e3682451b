package io.cutwater.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.faults.RunResult.Outcome;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three seeds of the fault campaign on one cluster: a bootstrapped job that grows while processes die, a distributed
 * one, and one with removals that shrinks. {@code deploy/bench/run faults} has the others.
 */
class FaultCampaignIT {
    @TempDir
    private static Path folder;

    private static CampaignCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = new CampaignCluster(folder, false, false);
        cluster.start();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {228, 339, 119})
    @Timeout(400)
    void everyEdgeIsInTheShardsAsOftenAsItWasIngestedAndNotRemoved(long seed) throws Exception {
        RunResult result = new FaultRun(cluster, RunPlan.of(seed, FaultChoice.CHEAP)).run();
        System.out.println(result);
        assertThat(result.outcome()).as(result.toString()).isEqualTo(Outcome.EXACT);
    }
}
