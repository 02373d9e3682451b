package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live jobs that are restored when their topic is not as they left it: they fail and say what is lost, or are told to
 * go on.
 */
@Timeout(120)
final class LostRecordsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static Path brokerFolder;
    private static EmbeddedBroker broker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startBroker() throws Exception {
        brokerFolder = Files.createTempDirectory("broker");
        broker = EmbeddedBroker.start(brokerFolder);
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
        FileUtils.deleteDirectory(brokerFolder.toFile());
    }

    @Test
    void recordsThatRetentionHasDeletedEndTheJobUnlessTheLossIsAccepted() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "gone-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        scene.write(300);
        scene.deleteRecords(scene.topics.edges(), 450);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic gone-edges, topic partition 0: offsets 300 to 449 were deleted", "--accept-loss");
        assertThat(scene.edges()).isEqualTo(300);

        String accepted = scene.stop(scene.start(savepoint, "--accept-loss", "true"), 450);
        scene.write(10);
        scene.deleteRecords(scene.topics.edges(), 605);
        assertThat(scene.failure(scene.start(accepted))).contains("offsets 600 to 604 were deleted");
    }

    @Test
    void aTruncatedLogEndsTheJobAlsoAfterItHasGrownAgain() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "cut-");
        scene.write(200);
        scene.write(100);
        String savepoint = scene.stop(scene.start(null), 300);
        truncate(scene.topics.edges(), 200);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic cut-edges, topic partition 0: offsets 200 to 299 were read", "ends at offset 200");
        scene.write(150);
        assertThat(scene.failure(scene.start(savepoint)))
                .contains("offsets 200 to 299 were read and hold other records now", "--accept-loss");
        assertThat(scene.edges()).isEqualTo(300);

        scene.stop(scene.start(savepoint, "--accept-loss", "true"), 450);
    }

    @Test
    void aRecreatedTopicEndsTheJobUnlessItIsAccepted() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "again-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        scene.recreateEdges();
        scene.write(400);

        assertThat(scene.failure(scene.start(savepoint)))
                .contains("topic again-edges was deleted and created again", "--accept-new-topic");
        assertThat(scene.edges()).isEqualTo(300);

        JobClient running = scene.start(savepoint, "--accept-new-topic", "true");
        scene.awaitEdges(700);
        // Again while the job runs, which Flink would start again for ever.
        scene.recreateEdges();
        scene.write(900);
        assertThat(scene.failure(running)).contains("topic again-edges was deleted and created again");
        assertThat(scene.edges()).isEqualTo(700);
    }

    @Test
    void anotherKafkaClusterEndsTheJob() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "moved-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);
        Path otherFolder = Files.createDirectories(folder.resolve("other"));
        try (EmbeddedBroker other = EmbeddedBroker.start(otherFolder)) {
            scene.servers = other.bootstrapServers();
            scene.makeEdges();
            scene.write(400);
            assertThat(scene.failure(scene.start(savepoint)))
                    .contains("topic moved-edges belongs to another Kafka cluster", "--accept-new-topic");
            assertThat(scene.edges()).isZero();
        }
    }

    @Test
    void deletedTransactionMarkersAreNoLoss() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "idle-");
        scene.writeInTransaction(300);
        JobClient job = scene.start(null);
        scene.awaitEdges(300);
        String savepoint = scene.stop(job, 300);
        scene.deleteRecords(scene.topics.edges(), -1);
        assertThat(scene.beginning()).as("the mark is gone, too").isEqualTo(301);

        JobClient restored = scene.start(savepoint);
        scene.writeInTransaction(50);
        scene.stop(restored, 350);
    }

    @Test
    void deletedCommandsAreSkippedAndFinishedOnesAreNotRepeated() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "told-");
        scene.write(300);
        JobClient job = scene.start(null, "--keep-edges", "true");
        scene.awaitEdges(300);
        RepartitionStatus first = scene.planned("first");
        String savepoint = scene.stop(job, 300);
        scene.send("missed");
        scene.deleteRecords(scene.topics.commands(), -1);

        JobClient resumed = scene.start(savepoint, "--keep-edges", "true");
        scene.planned("second");
        savepoint = scene.stop(resumed, 300);
        scene.recreate(scene.topics.commands());
        scene.send("first");
        JobClient again = scene.start(savepoint, "--keep-edges", "true");
        scene.planned("third");
        try (PlanTopics plans = scene.plans()) {
            assertThat(plans.status("first")).as("told again, not done again").isEqualTo(first);
            assertThat(plans.status("missed")).isNull();
        }
        scene.stop(again, 300);
    }

    /** Truncates the log, as if the broker had crashed before it wrote the end to disk. */
    private static void truncate(String topic, long firstLost) throws Exception {
        int port = Integer.parseInt(
                broker.bootstrapServers().substring(broker.bootstrapServers().indexOf(':') + 1));
        broker.close();
        Path log = brokerFolder.resolve("log");
        Files.deleteIfExists(log.resolve(".kafka_cleanshutdown"));
        Path segment = log.resolve(topic + "-0").resolve("00000000000000000000.log");
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer head = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
            for (long at = 0; at < file.size(); ) {
                head.clear();
                file.read(head, at);
                if (head.getLong(0) >= firstLost) {
                    file.truncate(at);
                }
                at += head.capacity() + head.getInt(Long.BYTES);
            }
        }
        broker = EmbeddedBroker.start(brokerFolder, port);
    }
}
