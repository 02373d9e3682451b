package io.cutwater.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.cutwater.kafka.topic.TopicSpec.Cleanup;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopicsTest {
    private final Topics topics = new Topics("g1.");

    @Test
    void putsThePrefixBeforeEveryName() {
        assertThat(Stream.of(
                        topics.edges(),
                        topics.vertices(),
                        topics.shards(),
                        topics.partitionBook(),
                        topics.plans(),
                        topics.owner(),
                        topics.vertexUpdates(),
                        topics.commits(),
                        topics.quality(),
                        topics.report(),
                        topics.deadLetters(),
                        topics.ingestProgress(),
                        topics.modelUpdates(),
                        topics.models()))
                .containsExactly(
                        "g1.edges",
                        "g1.vertices",
                        "g1.shards",
                        "g1.partition-book",
                        "g1.plans",
                        "g1.owner",
                        "g1.vertex-updates",
                        "g1.commits",
                        "g1.quality",
                        "g1.report",
                        "g1.dead-letters",
                        "g1.ingest-progress",
                        "g1.model-updates",
                        "g1.models");
    }

    @Test
    void compactsTheTopicsThatHoldTheLatestStateOfAKey() {
        assertThat(topics.spec(topics.partitionBook(), 8))
                .isEqualTo(new TopicSpec("g1.partition-book", 8, Cleanup.COMPACTED_LATE));
        assertThat(topics.commitMarks(7)).isEqualTo(new TopicSpec("g1.commits", 7, Cleanup.COMPACTED_LATE));
        assertThat(topics.commitMarks(4_096).topicPartitions()).isEqualTo(32);
        assertThat(topics.spec(topics.vertices(), 1).cleanup()).isEqualTo(Cleanup.COMPACTED);
        assertThat(topics.spec(topics.ingestProgress(), 1).cleanup()).isEqualTo(Cleanup.COMPACTED);
        assertThat(topics.spec(topics.shards(), 1).cleanup()).isEqualTo(Cleanup.NEVER);
        assertThat(topics.spec(topics.report(), 1).cleanup()).isEqualTo(Cleanup.NEWEST);
        assertThat(topics.spec(topics.quality(), 1).cleanup()).isEqualTo(Cleanup.BY_TIME);
        assertThat(topics.spec(topics.vertexUpdates(), 1).cleanup()).isEqualTo(Cleanup.SHORT);
    }

    @Test
    void aJobWritesAsManyTopicPartitionsAsItHasShardsButNotThousands() {
        assertThat(topics.outputs(5))
                .extracting(TopicSpec::name, TopicSpec::topicPartitions)
                .containsExactly(
                        tuple("g1.shards", 5),
                        tuple("g1.partition-book", 4),
                        tuple("g1.quality", 1),
                        tuple("g1.report", 1),
                        tuple("g1.dead-letters", 1));
        assertThat(topics.outputs(4096).get(0).topicPartitions()).isEqualTo(32);
    }

    @Test
    void theNameOfTheShardsTellsTheOtherNames() {
        assertThat(Topics.ofShards("g1.shards")).contains(topics);
        assertThat(Topics.ofShards("shards")).contains(new Topics(""));
        assertThat(Topics.ofShards("g1.edges")).isEmpty();
    }

    @Test
    void knowsNoOtherTopic() {
        assertThatThrownBy(() -> topics.spec("edges", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("topic edges does not begin with the prefix 'g1.'");
        assertThatThrownBy(() -> topics.spec("g1.edge", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("topic g1.edge is not a topic of a job");
    }

    @Test
    void refusesWhatKafkaWouldRefuse() {
        assertThatThrownBy(() -> new Topics("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--topic-prefix must be at most 200 letters, digits, '.', '_' and '-': 'a b'");
        assertThatThrownBy(() -> topics.spec(topics.edges(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("topic g1.edges must have at least 1 topic partition: 0");
    }
}
