package io.cutwater.kafka.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class CommittedEndsTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static final Duration SHORT = Duration.ofMillis(200);

    /** Writes a record to its own partition of topic shards, and a mark, in each transaction. */
    private static final class Writer implements AutoCloseable {
        private final Topics topics;
        private final int number;
        private final int writers;
        private final KafkaProducer<byte[], byte[]> producer;

        Writer(Topics topics, int number, int writers) {
            this.topics = topics;
            this.number = number;
            this.writers = writers;
            producer = new KafkaProducer<>(ClientSettings.producer(
                    broker.bootstrapServers(),
                    Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + writers + "-" + number)));
            producer.initTransactions();
        }

        void write(long checkpoint) {
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(topics.shards(), number, new byte[1], new byte[1]));
            CommitMark mark = new CommitMark(checkpoint, number, writers);
            unused = producer.send(new ProducerRecord<>(topics.commits(), number, mark.key(), mark.toBytes()));
            producer.flush();
        }

        void commit() {
            producer.commitTransaction();
        }

        void abort() {
            producer.abortTransaction();
        }

        @Override
        public void close() {
            producer.close();
        }
    }

    private static TopicAdmin connect() {
        return TopicAdmin.connect(broker.bootstrapServers(), Map.of());
    }

    private static CommittedEnds ends(Topics topics) {
        return new CommittedEnds(broker.bootstrapServers(), Map.of(), topics, SHORT);
    }

    @Test
    void aCheckpointCountsWhenAllOfItsWritersHaveCommitted() {
        Topics topics = new Topics("two.");
        try (TopicAdmin admin = connect();
                Writer first = new Writer(topics, 0, 2);
                Writer second = new Writer(topics, 1, 2)) {
            admin.ensure(topics.spec(topics.shards(), 2), topics.commitMarks(2));
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 0L, 1, 0L));
            first.write(5);
            second.write(5);
            second.commit();
            assertThatThrownBy(() -> ends(topics).ofShards(admin))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining(
                            "topic two.shards are not at one checkpoint: writer 0 has committed none yet");
            first.commit();
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 2L, 1, 2L));
            first.write(6);
            second.write(6);
            // What is still open does not hide what has been committed.
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 2L, 1, 2L));
            first.commit();
            assertThatThrownBy(() -> ends(topics).ofShards(admin))
                    .hasMessageContaining("writer 0 of 2 has committed checkpoint 6, and writers [1] another one")
                    .hasMessageContaining("resume it");
            second.commit();
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 4L, 1, 4L));
        }
    }

    @Test
    void marksOfOtherNumbersOfWritersAndAbortedOnesDoNotCount() {
        Topics topics = new Topics("rescaled.");
        try (TopicAdmin admin = connect();
                Writer first = new Writer(topics, 0, 3);
                Writer second = new Writer(topics, 1, 3);
                Writer third = new Writer(topics, 2, 3);
                Writer fewerFirst = new Writer(topics, 0, 2);
                Writer fewerSecond = new Writer(topics, 1, 2);
                Writer only = new Writer(topics, 0, 1)) {
            admin.ensure(topics.spec(topics.shards(), 3), topics.commitMarks(3));
            for (Writer writer : List.of(first, second, third)) {
                writer.write(9);
                writer.commit();
            }
            // Resumed from an earlier checkpoint with fewer writers.
            fewerFirst.write(8);
            fewerFirst.commit();
            assertThatThrownBy(() -> ends(topics).ofShards(admin)).hasMessageContaining("writers [1]");
            fewerSecond.write(8);
            fewerSecond.commit();
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 4L, 1, 4L, 2, 2L));
            for (int attempt = 0; attempt < 40; attempt++) {
                fewerSecond.write(9);
                fewerSecond.abort();
            }
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 4L, 1, 84L, 2, 2L));
            only.write(9);
            only.commit();
            assertThat(ends(topics).ofShards(admin)).isEqualTo(Map.of(0, 6L, 1, 84L, 2, 2L));
        }
    }

    @Test
    void endsAreThoseOfOneCheckpointWhileTwoWritersGoOn() throws Exception {
        Topics topics = new Topics("busy.");
        int checkpoints = 15;
        List<Map<Integer, Long>> seen = new ArrayList<>();
        try (TopicAdmin admin = connect();
                Writer first = new Writer(topics, 0, 2);
                Writer second = new Writer(topics, 1, 2)) {
            admin.ensure(topics.spec(topics.shards(), 2), topics.commitMarks(2));
            AtomicInteger done = new AtomicInteger();
            Thread job = new Thread(() -> {
                for (int checkpoint = 1; checkpoint <= checkpoints; checkpoint++) {
                    first.write(checkpoint);
                    second.write(checkpoint);
                    first.commit();
                    LockSupport.parkNanos(2_000_000);
                    second.commit();
                    LockSupport.parkNanos(60_000_000);
                    done.incrementAndGet();
                }
            });
            job.start();
            CommittedEnds ends = new CommittedEnds(broker.bootstrapServers(), Map.of(), topics);
            while (done.get() < checkpoints) {
                seen.add(ends.ofShards(admin));
            }
            job.join();
            seen.add(ends.ofShards(admin));
        }
        assertThat(seen).allSatisfy(cut -> assertThat(cut.get(0)).isEqualTo(cut.get(1)));
        assertThat(seen.get(seen.size() - 1)).isEqualTo(Map.of(0, 2L * checkpoints, 1, 2L * checkpoints));
    }

    @Test
    void aTopicOfOtherRecordsIsNoTopicOfMarks() {
        Topics topics = new Topics("other.");
        try (TopicAdmin admin = connect();
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            admin.ensure(topics.spec(topics.shards(), 1), topics.commitMarks(1));
            var unused = producer.send(
                    new ProducerRecord<>(topics.commits(), new byte[1], "{\"version\":2}".getBytes(UTF_8)));
            producer.flush();
            assertThatThrownBy(() -> ends(topics).ofShards(admin))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("topic other.commits has something else")
                    .hasMessageContaining("version 2");
        }
    }
}
