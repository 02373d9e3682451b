package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Records as large as a broker takes, through a live job that may not restart once. */
final class LargeRecordsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Size of a malformed record whose dead letter would exceed the broker's limit by its headers. */
    private static final int NEARLY_A_MEBIBYTE = 1_048_400;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private final Topics topics = new Topics("large-");

    @TempDir
    private Path folder;

    @Test
    void malformedRecordsOfAMebibyteBecomeDeadLettersAndTheJobGoesOn() throws Exception {
        byte[] edge = filled("{\"op\":\"add\",\"src\":\"", NEARLY_A_MEBIBYTE);
        byte[] plain = filled("{", 1_000_000);
        byte[] command = filled("{\"op\":\"abort\",\"id\":\"", 1_000_000);
        command[999_998] = '"';
        command[999_999] = '}';
        byte[] vertex = bytes("{\"id\":7,\"features\":[1" + ",1".repeat(499_000) + "]}");
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                broker.bootstrapServers(),
                "--topic-prefix",
                topics.prefix(),
                "--partitions",
                "2",
                "--algorithm",
                "hdrf",
                "--kind",
                "edge",
                "--event-format",
                "json",
                "--keep-edges",
                "true",
                "--vertex-data",
                "true",
                "--checkpoint-interval",
                "300ms");
        try (EmbeddedRun run = EmbeddedRun.startLive(options, folder, 64 << 20, 0)) {
            send(topics.edges(), edge);
            send(topics.edges(), plain);
            send(topics.commands(), command);
            send(topics.vertices(), vertex);
            send(topics.edges(), bytes("{\"src\":1,\"dst\":2}"));

            Map<String, ConsumerRecord<byte[], byte[]>> letters = new TreeMap<>();
            await().atMost(PATIENCE).until(() -> {
                assertThat(run.await(Duration.ZERO)).isFalse();
                new TopicReader(broker.bootstrapServers(), Map.of())
                        .readAll(topics.deadLetters(), letter -> letters.put(origin(letter), letter));
                return letters.size() == 4 && edges() == 1;
            });
            assertIsCut(letters.get("large-edges 0"), edge);
            assertIsCut(letters.get("large-edges 1"), plain);
            assertIsCut(letters.get("large-commands 0"), command);
            assertIsCut(letters.get("large-vertices 0"), vertex);
            assertThat(header(letters.get("large-vertices 0"), DeadLetterRecords.REASON))
                    .isEqualTo("the data of vertex 7 take 1996015 bytes, and a record takes 921600 at most");
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
    }

    private static void assertIsCut(ConsumerRecord<byte[], byte[]> letter, byte[] whole) throws Exception {
        assertThat(letter.value()).isEqualTo(Arrays.copyOf(whole, RejectedRecord.MAX_VALUE_BYTES));
        assertThat(header(letter, DeadLetterRecords.LENGTH)).isEqualTo("" + whole.length);
        assertThat(header(letter, DeadLetterRecords.SHA256))
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(whole)));
        assertThat(DeadLetterRecords.fromRecord(letter).valueLength()).isEqualTo(whole.length);
    }

    private static String origin(ConsumerRecord<byte[], byte[]> letter) {
        return header(letter, DeadLetterRecords.TOPIC) + " " + header(letter, DeadLetterRecords.OFFSET);
    }

    private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        return new String(letter.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private long edges() {
        long[] edges = new long[1];
        new ShardTopicReader(broker.bootstrapServers(), Map.of())
                .readAll(topics.shards(), (shard, batch) -> edges[0] += batch.size());
        return edges[0];
    }

    private static void send(String topic, byte[] value) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(topic, bytes("7"), value)).get(30, TimeUnit.SECONDS);
        }
    }

    private static byte[] filled(String start, int length) {
        byte[] bytes = Arrays.copyOf(bytes(start), length);
        Arrays.fill(bytes, start.length(), length, (byte) 'x');
        return bytes;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
