package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.JobOwnership;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.testkit.BrokerExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two jobs that go on from the same savepoint. */
@Timeout(120)
final class OwnerIT {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @Test
    void theLastResumedJobOwnsTheTopicsAndTheOtherOneEnds() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), folder, "twice-");
        scene.write(300);
        String savepoint = scene.stop(scene.start(null), 300);

        JobClient first = scene.start(savepoint);
        scene.write(100);
        scene.awaitEdges(400);
        String later = scene.stop(first, 400);
        JobClient second = scene.start(later);
        awaitClaims(scene, 3);
        JobClient third = scene.start(later);
        awaitClaims(scene, 4);
        scene.write(200);

        assertThat(scene.failure(second))
                .contains(
                        "job " + third.getJobID().toHexString() + " took the topics over",
                        "epoch 4",
                        "topic twice-owner");
        scene.stop(third, 600);
    }

    private static void awaitClaims(LiveScene scene, int submissions) throws Exception {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            try (JobOwnership reader =
                    new JobOwnership(broker.bootstrapServers(), Map.of(), scene.topics.owner(), "none", "none")) {
                JobOwnership.Owner last = reader.lastClaim();
                return last != null && last.epoch() == submissions;
            }
        });
    }

    @Test
    void everyTaskOfTheLastSubmissionSeesThatItOwnsTheTopics() throws Exception {
        LiveScene scene = new LiveScene(broker.bootstrapServers(), Files.createDirectories(folder), "claims-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(scene.topics.control());
        }
        try (JobOwnership a = ownership(scene, "a");
                JobOwnership b = ownership(scene, "b");
                JobOwnership againA = ownership(scene, "a")) {
            assertThat(a.otherOwner()).isNull();
            assertThat(againA.otherOwner()).as("another task of the same job").isNull();
            assertThat(b.otherOwner()).as("a resumed job takes over").isNull();
            assertThat(a.otherOwner()).isNotNull();
            assertThat(Objects.requireNonNull(againA.otherOwner()).id()).isEqualTo("b");
            assertThat(b.otherOwner()).isNull();
        }
    }

    private static JobOwnership ownership(LiveScene scene, String id) {
        return new JobOwnership(broker.bootstrapServers(), Map.of(), scene.topics.owner(), id, "job-" + id);
    }
}
