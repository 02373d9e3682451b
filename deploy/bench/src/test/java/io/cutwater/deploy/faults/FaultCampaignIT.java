package io.cutwater.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.faults.RunResult.Outcome;
import io.cutwater.deploy.faults.plan.FaultChoice;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three seeds of the fault campaign on one cluster: a bootstrapped job that grows while processes die, a distributed
 * one, and one that removes edges and vertices, shrinks, and goes on in several tasks, whose process is killed while
 * they take over from one. Profile {@code campaign} runs them; {@link UsualFaultsIT} has the seed of the usual run, and
 * {@code deploy/bench/run faults} all others.
 */
@Tag("campaign")
final class FaultCampaignIT {
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
    @ValueSource(longs = {228, 339, 4256})
    @Timeout(400)
    void everyEdgeIsInTheShardsAsOftenAsItWasIngested(long seed) throws Exception {
        requireExact(cluster, seed);
    }

    static void requireExact(CampaignCluster cluster, long seed) throws Exception {
        RunResult result = new FaultRun(cluster, RunPlan.of(seed, FaultChoice.CHEAP)).run();
        System.out.println(result);
        assertThat(result.outcome()).as(result.toString()).isEqualTo(Outcome.EXACT);
    }
}
