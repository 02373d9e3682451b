package io.cutwater.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.testkit.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of the job's timer resumes a job that its cluster has lost, and leaves alone one that was stopped. */
@Timeout(600)
final class WatcherIT {
    private static final int EDGES = 2_000;

    @TempDir
    private static Path folder;

    private CleanMachine machine;
    private String watch = "";

    private String run(String line) throws Exception {
        return machine.run(line.split(" "));
    }

    private long runningJobs() throws Exception {
        return run("cutwater status --dir cluster --json")
                .lines()
                .filter(line -> line.contains("\"progress\" : \"runs\""))
                .count();
    }

    private void awaitEdges(int edges) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> run("cutwater status --dir cluster --json").contains("\"edges\" : " + edges));
    }

    private Path edges(String name, int seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        return Files.write(
                folder.resolve(name),
                Stream.generate(() -> random.nextInt(300) + " " + random.nextInt(300))
                        .limit(EDGES)
                        .toList());
    }

    @Test
    void aLostJobGoesOnAndAStoppedOneDoesNot() throws Exception {
        Path home = CleanMachine.unpack(folder);
        machine = new CleanMachine(folder, home, List.of("sh", "dirname", "readlink", "env", "grep"));
        watch = home.resolve("systemd/cutwater-watch").toString();
        int[] ports = FreePorts.find(5);
        String start =
                "cutwater cluster start --dir cluster --broker-port %d --controller-port %d --flink-port %d --jobmanager-port %d --metrics-ports %d"
                        .formatted(ports[0], ports[1], ports[2], ports[3], ports[4]);
        String servers = " --bootstrap-servers 127.0.0.1:" + ports[0];
        // The timer's script takes its options from files.
        Path config = Files.createDirectories(folder.resolve(".config/cutwater"));
        for (String command : List.of("status", "resume")) {
            Files.writeString(config.resolve(command + ".yaml"), "dir: %s\n".formatted(folder.resolve("cluster")));
        }
        run(start);
        try {
            run("cutwater submit --dir cluster --partitions 4 --checkpoint-interval 1s");
            run("cutwater ingest --edges " + edges("first.txt", 1) + servers);
            awaitEdges(EDGES);

            run(watch);
            assertThat(runningJobs()).isEqualTo(1);

            long pid = new ObjectMapper()
                    .readTree(folder.resolve("cluster/pids/jobmanager.json").toFile())
                    .path("pid")
                    .asLong();
            assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
            run(start);
            assertThat(runningJobs()).isZero();
            run("cutwater ingest --edges " + edges("second.txt", 2) + servers);
            run(watch);
            awaitEdges(2 * EDGES);
            run("cutwater shard check --edges first.txt second.txt" + servers);

            run("cutwater stop --dir cluster");
            assertThat(run(watch)).contains("was stopped");
            assertThat(runningJobs()).isZero();
        } finally {
            run("cutwater cluster stop --dir cluster");
        }
    }
}
