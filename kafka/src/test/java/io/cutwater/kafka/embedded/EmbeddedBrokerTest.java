package io.cutwater.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedBrokerTest {
    private static final Topics TOPICS = new Topics("");

    @TempDir
    private Path folder;

    @Test
    void findsItsDataAgainAfterARestart() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            produce(broker, "one", "two");
            assertThat(consume(broker)).containsExactly("one", "two");
        }
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            assertThat(consume(broker)).containsExactly("one", "two");
            produce(broker, "three");
            assertThat(consume(broker)).containsExactly("one", "two", "three");
        }
    }

    @Test
    void runsBesideAnotherOne() throws Exception {
        try (EmbeddedBroker first = EmbeddedBroker.start(folder.resolve("first"));
                EmbeddedBroker second = EmbeddedBroker.start(folder.resolve("second"))) {
            assertThat(first.bootstrapServers()).isNotEqualTo(second.bootstrapServers());
            produce(first, "mine");
            produce(second, "yours");
            assertThat(consume(first)).containsExactly("mine");
            assertThat(consume(second)).containsExactly("yours");
        }
    }

    @Test
    void closesWithinSecondsAndLeavesTheFolder() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.start(folder);
        produce(broker, "one");
        long start = System.nanoTime();
        broker.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void refusesAFolderThatARunningBrokerUses() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            produce(broker, "one");
            assertThatThrownBy(() -> EmbeddedBroker.start(folder).close())
                    .isInstanceOf(IOException.class)
                    .hasMessage("another embedded Kafka broker runs in %s; stop it, or choose another folder", folder);
            assertThat(consume(broker)).containsExactly("one");
        }
    }

    @Test
    void refusesAFolderThatCannotBeMade() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> EmbeddedBroker.start(file).close()).isInstanceOf(IOException.class);
    }

    @Test
    void failsOnATakenPortWithoutEndingTheProcess() throws Exception {
        EmbeddedBroker.start(folder).close();
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                ServerSocket controller = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            int taken = broker.getLocalPort();
            int free = controller.getLocalPort();
            controller.close();
            assertThatThrownBy(() -> EmbeddedBroker.start(folder.resolve("log"), taken, free))
                    .isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> EmbeddedBroker.start(folder.resolve("log"), free, taken))
                    .isInstanceOf(RuntimeException.class);
        }
        EmbeddedBroker.start(folder).close();
    }

    private static void produce(EmbeddedBroker broker, String... values) throws Exception {
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(TOPICS.spec(TOPICS.edges(), 1));
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(TOPICS.edges(), value.getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
    }

    private static List<String> consume(EmbeddedBroker broker) {
        List<String> values = new ArrayList<>();
        new TopicReader(broker.bootstrapServers(), Map.of())
                .readAll(TOPICS.edges(), record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
        return values;
    }
}
