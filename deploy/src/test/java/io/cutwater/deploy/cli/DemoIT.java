package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.testkit.CommandRun;
import org.junit.jupiter.api.Test;

/** The whole demo: broker, job, re-partitioning and training in one process. */
class DemoIT {
    @Test
    void theDemoLearnsFromLiveShardsWhatTheWholeGraphTeaches() {
        String line = "demo --edges 20000 --rate 1000000 --epochs 12 --seed 3 --json";
        CommandRun run = CommandRun.of(Cutwater::run, line.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode report = run.json();
        assertThat(report.path("edges").longValue()).isEqualTo(20_480);
        assertThat(report.path("kind").textValue()).isEqualTo("vertex");
        assertThat(report.path("partitions").intValue()).isEqualTo(6);
        assertThat(report.path("repartition").path("state").textValue()).isEqualTo("done");
        assertThat(run.err())
                .contains("checked topic demo-shards: each of the 20,480 edges is in its shard exactly once,");
        assertThat(report.path("model").textValue()).isEqualTo("graphsage");
        assertThat(report.path("epochs").intValue()).isEqualTo(12);
        assertThat(report.path("bytesAveraged").longValue()).isPositive();
        // A vertex's own features tell 4 of 10 of the 12 classes (LabelledGraphTest); so small a graph adds little.
        double whole = report.path("centralisedTestAccuracy").doubleValue();
        assertThat(whole).isGreaterThan(0.5);
        assertThat(report.path("testAccuracy").doubleValue()).isBetween(whole - 0.15, whole + 0.15);
    }
}
