package io.cutwater.kafka.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RandomEdges;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ClientTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @ParameterizedTest
    @EnumSource(EdgeEventFormat.class)
    void ingestsEveryEdgeInOrderIntoATopicOfOnePartition(EdgeEventFormat format) throws IOException {
        Topics topics = create("ingest." + format + ".", 1);
        EdgeBatch edges = RandomEdges.batch(21, 10_000, format != EdgeEventFormat.BINARY, false);
        List<Long> progress = new ArrayList<>();
        EdgeIngest.Result result = new EdgeIngest(options(topics, format), progress::add).run(inBatchesOf(3000, edges));

        assertThat(result).isEqualTo(new EdgeIngest.Result(10_000, 0));
        assertThat(progress).containsExactly(3000L, 6000L, 9000L, 10_000L);
        EdgeBatch read = new EdgeBatch();
        EdgeEventDecoder decoder = format.decoder();
        long records = reader().readAll(topics.edges(), r -> decoder.decode(r, read));
        assertThat(read.rejected()).isEmpty();
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(edges));
        // Each batch of 3000 makes records of 2048 and 952, the last one of 1000.
        assertThat(records).isEqualTo(format.holdsManyEdges() ? 7 : 10_000);
    }

    @Test
    void losesNoEdgeInATopicOfManyPartitions() throws IOException {
        Topics topics = create("spread.", 5);
        EdgeBatch edges = RandomEdges.batch(22, 20_000, false, false);
        new EdgeIngest(options(topics, EdgeEventFormat.CSV), sent -> {}).run(inBatchesOf(4096, edges));
        EdgeBatch read = new EdgeBatch();
        EdgeEventDecoder decoder = EdgeEventFormat.CSV.decoder();
        reader().readAll(topics.edges(), r -> decoder.decode(r, read));
        assertThat(RandomEdges.edges(read)).containsExactlyInAnyOrderElementsOf(RandomEdges.edges(edges));
    }

    @Test
    void sendsRejectedLinesToTheDeadLetters() throws IOException {
        Topics topics = create("dead.", 1);
        byte[] key = {7};
        EdgeSupplier supplier = once(batch -> {
            batch.add(1, 2);
            batch.reject(new RejectedRecord("target id is missing", "größe.csv", -1, 17, null, new byte[] {'1'}));
            batch.reject(new RejectedRecord("the record has no value", "edges", 3, 1L << 40, key, new byte[0]));
        });
        assertThat(new EdgeIngest(options(topics, EdgeEventFormat.BATCH), sent -> {}).run(supplier))
                .isEqualTo(new EdgeIngest.Result(1, 2));
        List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
        reader().readAll(topics.deadLetters(), letters::add);
        letters.sort((a, b) -> Integer.compare(b.value().length, a.value().length));
        assertThat(headers(letters.get(0)))
                .isEqualTo(Map.of(
                        "reason",
                        "target id is missing",
                        "topic",
                        "größe.csv",
                        "partition",
                        "-1",
                        "offset",
                        "17",
                        "length",
                        "1",
                        "sha256",
                        "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"));
        assertThat(letters.get(0).key()).isNull();
        assertThat(letters.get(0).value()).containsExactly('1');
        assertThat(headers(letters.get(1))).containsEntry("partition", "3").containsEntry("offset", "1099511627776");
        assertThat(letters.get(1).key()).isEqualTo(key);
    }

    @Test
    void saysInOneSentenceThatTheTopicIsNotThere() {
        IngestOptions options = new IngestOptions(
                broker.bootstrapServers(),
                "absent",
                "absent",
                EdgeEventFormat.CSV,
                1,
                0,
                Map.of("max.block.ms", "1000"));
        assertThatThrownBy(() -> new EdgeIngest(options, sent -> {}).run(once(batch -> batch.add(1, 2))))
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("cannot write to topic absent at " + broker.bootstrapServers() + ": ");
        assertThatThrownBy(() -> reader().readAll("absent", record -> {})).isInstanceOf(TopicMissingException.class);
    }

    @Test
    void saysInOneSentenceThatARecordIsTooLarge() {
        Topics topics = create("refuse.", 1);
        IngestOptions options = new IngestOptions(
                broker.bootstrapServers(),
                topics.edges(),
                topics.deadLetters(),
                EdgeEventFormat.BATCH,
                2048,
                0,
                Map.of("max.request.size", "1000"));
        EdgeBatch edges = RandomEdges.batch(1, 100, false, false);
        assertThatThrownBy(() -> new EdgeIngest(options, sent -> {}).run(inBatchesOf(100, edges)))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("cannot write to topic refuse.edges at ")
                .hasMessageContaining("1000");
    }

    @Test
    void readsCommittedShardRecordsOnly() {
        Topics topics = create("shards.", 3);
        Map<String, Object> settings = ClientSettings.producer(
                broker.bootstrapServers(), Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "shards"));
        EdgeBatch edges = RandomEdges.batch(23, 600, true, true);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            producer.initTransactions();
            for (int step = 0; step < 6; step++) {
                producer.beginTransaction();
                send(producer, shardRecord(topics, step, edges, 100 * step, 100 * step + 50));
                producer.abortTransaction();
                producer.beginTransaction();
                send(producer, shardRecord(topics, step, edges, 100 * step + 50, 100 * step + 100));
                producer.commitTransaction();
            }
            producer.beginTransaction();
            send(producer, shardRecord(topics, 0, edges, 0, 50));
            producer.flush();
            Map<Integer, List<String>> read = new TreeMap<>();
            long records = new ShardTopicReader(broker.bootstrapServers(), Map.of())
                    .readAll(topics.shards(), (shard, batch) -> read.put(shard, RandomEdges.edges(batch)));
            producer.abortTransaction();
            assertThat(records).isEqualTo(6);
            assertThat(read.keySet()).containsExactly(0, 1, 2, 3, 4, 5);
            read.forEach((shard, actual) ->
                    assertThat(actual).isEqualTo(RandomEdges.edges(edges, 100 * shard + 50, 100 * shard + 100)));
        }
    }

    @Test
    void followsWhatAJobSaysOfItsPlans() {
        Topics topics = new Topics("plans.");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.control());
        }
        RepartitionStatus before = RepartitionStatus.refused("before", 0, 8, "a sentence");
        write(topics.plans(), before);
        try (PlanTopics plans = new PlanTopics(broker.bootstrapServers(), Map.of(), topics)) {
            assertThat(plans.status("before")).isEqualTo(before);
            assertThat(plans.running()).isNull();

            JobCommand command = new JobCommand.Repartition("now", 12, 0.05, 1000, false);
            plans.send(command);
            List<JobCommand> sent = new ArrayList<>();
            reader().readAll(topics.commands(), record -> sent.add(JobCommandJson.read(record.value())));
            assertThat(sent).containsExactly(command);

            RepartitionStatus moving = new RepartitionStatus(
                    "now", 1, PlanState.MOVING, 8, 12, 100, 30, 7, 0.5, Map.of(), Map.of(), Map.of(), "", 0.5);
            write(topics.plans(), moving);
            await().until(() -> plans.poll().contains("now"));
            assertThat(plans.running()).isEqualTo(moving);
        }
    }

    private static void write(String topic, RepartitionStatus status) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(
                    topic, RepartitionStatusJson.key(status), RepartitionStatusJson.toBytes(status)));
        }
    }

    @Test
    void namesTheRecordThatIsNoShardRecord() throws Exception {
        Topics topics = create("foreign.", 1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(topics.shards(), new byte[] {0, 0, 0, 1}, new byte[] {1}))
                    .get();
        }
        assertThatThrownBy(() -> new ShardTopicReader(broker.bootstrapServers(), Map.of())
                        .readAll(topics.shards(), (shard, batch) -> {}))
                .isInstanceOf(BrokerException.class)
                .hasMessage("topic foreign.shards, topic partition 0, offset 0 is not a shard record: "
                        + "a shard record of 1 bytes is truncated: its header alone takes 10; check --topic-prefix");
    }

    @Test
    void readsNothingFromAnEmptyTopic() {
        Topics topics = create("empty.", 4);
        assertThat(reader().readAll(topics.edges(), record -> {})).isZero();
    }

    private static ProducerRecord<byte[], byte[]> shardRecord(
            Topics topics, int shard, EdgeBatch edges, int from, int to) {
        byte[] value = ShardRecordCodec.encode(ShardRecordCodec.Kind.ADD, 0, edges, from, to);
        return new ProducerRecord<>(
                topics.shards(), ShardRecordCodec.topicPartition(shard, 3), ShardRecordCodec.key(shard), value);
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        // An error of the send comes back from the commit or the flush.
        Future<RecordMetadata> unused = producer.send(record);
    }

    private static Topics create(String prefix, int topicPartitions) {
        Topics topics = new Topics(prefix);
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(
                    topics.spec(topics.edges(), topicPartitions),
                    topics.spec(topics.shards(), topicPartitions),
                    topics.spec(topics.deadLetters(), topicPartitions));
        }
        return topics;
    }

    private static TopicReader reader() {
        return new TopicReader(broker.bootstrapServers(), Map.of());
    }

    private static IngestOptions options(Topics topics, EdgeEventFormat format) {
        return IngestOptions.of(broker.bootstrapServers(), topics.edges(), topics.deadLetters(), format);
    }

    private static EdgeSupplier inBatchesOf(int size, EdgeBatch edges) {
        int[] at = {0};
        return batch -> {
            int end = Math.min(edges.size(), at[0] + size);
            for (; at[0] < end; at[0]++) {
                batch.addFrom(edges, at[0]);
            }
            return !batch.isEmpty();
        };
    }

    private static EdgeSupplier once(Consumer<EdgeBatch> filling) {
        boolean[] done = {false};
        return batch -> {
            if (done[0]) {
                return false;
            }
            done[0] = true;
            filling.accept(batch);
            return true;
        };
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> letter) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : letter.headers()) {
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
        }
        return headers;
    }
}
