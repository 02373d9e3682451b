package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.kafka.topic.BrokerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The live job on a cluster of real processes, from start to stop, with a process killed on the way. */
class ClusterIT {
    private static final int EDGES_PER_FILE = 60_000;
    private static final int K = 8;

    @TempDir
    private Path folder;

    private ClusterFixture cluster;

    @BeforeEach
    void startCluster() throws IOException {
        cluster = new ClusterFixture(folder, "");
    }

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    @Test
    @Timeout(900)
    void everyEdgeIsInOneShardOnceWhateverIsKilledStoppedAndResumed() throws Exception {
        assertThat(cluster.run("cluster start").out()).contains("runs already");
        cluster.json("ingest --event-format batch --edges " + cluster.graph("first", EDGES_PER_FILE));
        JsonNode job = cluster.json("submit --event-format batch --checkpoint-interval 500ms --partitions " + K);
        assertThat(job.path("maxParallelism").asInt()).isEqualTo(128);
        cluster.awaitAllEdges();

        Path second = cluster.graph("second", EDGES_PER_FILE);
        CompletableFuture<JsonNode> ingest = CompletableFuture.supplyAsync(
                () -> cluster.json("ingest --event-format batch --rate 15000 --edges " + second));
        await().atMost(ClusterFixture.PATIENCE)
                .ignoreException(BrokerException.class)
                .until(() -> cluster.committedEdges() > EDGES_PER_FILE);
        cluster.kill("taskmanager-1");
        assertThat(cluster.health().path("healthy").asBoolean()).isFalse();
        assertThat(cluster.json("cluster start --timeout 5m").path("started").asInt())
                .isEqualTo(1);
        assertThat(cluster.health().path("healthy").asBoolean()).isTrue();
        assertThat(ingest.get().path("edges").asInt()).isEqualTo(EDGES_PER_FILE);
        cluster.awaitAllEdges();
        await().atMost(ClusterFixture.PATIENCE)
                .until(() -> cluster.runningJob().path("restores").asInt() > 0);

        String savepoint = cluster.json("stop").path("savepoint").asText();
        assertThat(Path.of(URI.create(savepoint)).resolve("_metadata")).exists();
        cluster.json("ingest --event-format batch --edges " + cluster.graph("third", EDGES_PER_FILE));
        assertThat(cluster.run("submit --partitions " + K).sentence())
                .contains("topic shards holds the shards of another job");
        JsonNode resumed =
                cluster.json("resume --parallelism 2 " + job.path("job").asText());
        assertThat(resumed.path("topology").asText()).isEqualTo("distributed");
        assertThat(resumed.path("restoredFrom").asText()).isEqualTo(savepoint);
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();

        cluster.json("stop");
        cluster.json("ingest --event-format batch --edges " + cluster.graph("fourth", EDGES_PER_FILE));
        assertThat(cluster.run("resume --topology fused --parallelism 1").sentence())
                .contains("was spread out");
        assertThat(cluster.json("resume --parallelism 1 --assigners 2")
                        .path("assigners")
                        .asInt())
                .isEqualTo(2);
        cluster.awaitAllEdges();
        cluster.assertThatEveryEdgeIsThereOnceAndTheStatusTellsIt();
        JsonNode ended = cluster.json("cluster stop");
        assertThat(ended.path("processes")).allMatch(end -> end.asText().equals("stopped"));
        assertThat(cluster.health().path("running").asBoolean()).isFalse();
    }
}
