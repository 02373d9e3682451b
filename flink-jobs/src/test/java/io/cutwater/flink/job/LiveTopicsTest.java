package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.job.option.History;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class LiveTopicsTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static LiveJobOptions options(String prefix, String... more) {
        String[] args = new String[more.length + 6];
        String[] first = {
            "--bootstrap-servers", broker.bootstrapServers(), "--partitions", "8", "--topic-prefix", prefix
        };
        System.arraycopy(first, 0, args, 0, first.length);
        System.arraycopy(more, 0, args, first.length, more.length);
        return LiveJobOptions.parse(args);
    }

    private static void write(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, new byte[] {'1', ' ', '2'}));
            }
            producer.flush();
        }
    }

    @Test
    void makesTheTopicsOfAJobThatHasNone() {
        assertThat(LiveTopics.prepare(options("new-"), false).edges()).isEmpty();

        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            assertThat(admin.partitionCount("new-edges")).isEqualTo(1);
            assertThat(admin.partitionCount("new-shards")).isEqualTo(8);
            assertThat(admin.partitionCount("new-partition-book")).isEqualTo(4);
            LiveTopics.prepare(options("new-", "--vertex-data", "true"), false);
            assertThat(admin.partitionCount("new-vertices")).isEqualTo(1);
        }
    }

    @Test
    void usesTheLongestTransactionTimeoutThatTheBrokerAllows() {
        assertThat(LiveTopics.prepare(options("default-"), false).transactionTimeout())
                .isEqualTo(Duration.ofHours(24));
        assertThatThrownBy(() -> LiveTopics.prepare(options("seldom-", "--checkpoint-interval", "13h"), false))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("give at most --checkpoint-interval 43200s");
    }

    @Test
    void refusesATransactionThatTheBrokerWouldNotAllow() {
        assertThat(LiveTopics.prepare(options("short-", "--transaction-timeout", "24h"), false)
                        .edges())
                .isEmpty();
        assertThatThrownBy(() -> LiveTopics.prepare(options("long-", "--transaction-timeout", "86401s"), false))
                .isInstanceOf(BrokerException.class)
                .hasMessage(
                        "--transaction-timeout 86401s is more than the Kafka broker at %s allows, transaction.max.timeout.ms"
                                        .formatted(broker.bootstrapServers())
                                + " = 86400000; give at most --transaction-timeout 86400s, or raise the broker's limit");
    }

    @Test
    void refusesSeveralPartitionsWhereATruncateRemovesEdges() {
        String[] remove = {
            "--event-format", "debezium-json", "--source", "after.a", "--target", "after.b",
            "--keep-edges", "true", "--edge-key", ":key", "--on-truncate", "remove"
        };
        LiveTopics.prepare(options("whole-", remove), false);
        Topics topics = new Topics("divided-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 3));
        }
        assertThatThrownBy(() -> LiveTopics.prepare(options("divided-", remove), false))
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("topic divided-edges has 3 partitions, and --on-truncate remove needs a topic");
        remove[remove.length - 1] = "ignore";
        LiveTopics.prepare(options("divided-", remove), false);
    }

    @Test
    void refusesTheShardsOfAnotherJobUnlessItIsResumed() {
        LiveJobOptions options = options("used-");
        LiveTopics.prepare(options, false);
        write("used-shards", 1);

        assertThatThrownBy(() -> LiveTopics.prepare(options, false))
                .hasMessageStartingWith("topic used-shards holds the shards of another job already; resume that job")
                .hasMessageContaining("another --topic-prefix");
        assertThat(LiveTopics.prepare(options, true).edges()).isEmpty();
    }

    @Test
    void beginsAtTheGivenOffsets() {
        Topics topics = new Topics("begun-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 1));
        }
        write(topics.edges(), 5);

        assertThat(LiveTopics.prepare(options("begun-", "--start-offsets", "0:3"), false)
                        .edges())
                .isEqualTo(Map.of(0, 3L));
    }

    @Test
    void skipsCommandsThatPrecedeTheJob() {
        Topics topics = new Topics("told-");
        assertThat(LiveTopics.prepare(options("told-"), false).commands()).isEqualTo(Map.of(0, 0L));
        write(topics.commands(), 2);

        assertThat(LiveTopics.prepare(options("told-"), false).commands()).isEqualTo(Map.of(0, 2L));
        assertThat(LiveTopics.prepare(options("told-", "--assigners", "2", "--algorithm", "hdrf"), false)
                        .commands())
                .as("a job that is spread out refuses them")
                .isEqualTo(Map.of(0, 2L));
    }

    @Test
    void theHistoryEndsAtTheEndOffsetsOfTheFirstSubmission() {
        Topics topics = new Topics("history-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 1));
        }
        write(topics.edges(), 5);
        LiveJobOptions fixed = LiveTopics.fixHistory(options("history-", "--bootstrap", "now"));
        assertThat(fixed.history()).isEqualTo(new History(Map.of(0, 0L), Map.of(0, 5L)));
        assertThat(LiveTopics.fixHistory(options("history-", "--bootstrap", "now", "--start-offsets", "0:2"))
                        .history())
                .isEqualTo(new History(Map.of(0, 2L), Map.of(0, 5L)));

        write(topics.edges(), 4);
        assertThat(LiveTopics.fixHistory(fixed)).isSameAs(fixed);
        assertThat(LiveTopics.prepare(fixed, true).edges()).isEmpty();
        assertThatThrownBy(() -> LiveTopics.prepare(options("history-", "--bootstrap", "now"), true))
                .hasMessageStartingWith("a resumed job needs the history of its first submission");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {"0:6 | which has offsets 0 to 5 there", "1:0 | which has no such topic partition"})
    void refusesOffsetsOutsideTheTopic(String offsets, String sentence) {
        String prefix = "offsets-" + offsets.replace(':', '-') + "-";
        LiveTopics.prepare(options(prefix), false);
        write(prefix + "edges", 5);

        assertThatThrownBy(() -> LiveTopics.prepare(options(prefix, "--start-offsets", offsets), false))
                .hasMessageStartingWith("--start-offsets %s is not in topic".formatted(offsets))
                .hasMessageEndingWith(sentence);
    }
}
