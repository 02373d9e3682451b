package io.cutwater.kafka.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.progress.IngestListener;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VertexFileIngestTest {
    private static final int VERTICES = 3_000;
    private static final AtomicLong COUNT = new AtomicLong();

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    Path folder;

    private final Topics topics = new Topics("vertices" + COUNT.incrementAndGet() + ".");
    private final List<String> notes = new ArrayList<>();

    @BeforeEach
    void createTopics() {
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.vertices(), 1), topics.spec(topics.ingestProgress(), 1));
        }
    }

    private final class Listener implements IngestListener {
        @Override
        public void progress(long vertices, double share) {
            assertThat(share).isBetween(0.0, 1.0);
        }

        @Override
        public void note(String sentence) {
            notes.add(sentence);
        }
    }

    private VertexFileIngest ingest(boolean restart, Runnable beforeEachRow) {
        VertexIngestOptions options = new VertexIngestOptions(
                broker.bootstrapServers(),
                topics.vertices(),
                topics.ingestProgress(),
                0,
                250,
                restart,
                Map.of("max.block.ms", "2000"));
        return new VertexFileIngest(options, new Listener(), beforeEachRow);
    }

    private VertexFiles files() throws IOException {
        StringBuilder features = new StringBuilder();
        StringBuilder split = new StringBuilder();
        for (int v = 0; v < VERTICES; v++) {
            features.append(v % 7).append(" 1:").append(v).append(" 40:1\n");
            split.append(v % 2 == 0 ? "train\n" : "none\n");
        }
        return new VertexFiles(
                Files.writeString(folder.resolve("f.svm"), features),
                null,
                Files.writeString(folder.resolve("s.txt"), split));
    }

    private static List<VertexRecord> expected() {
        List<VertexRecord> records = new ArrayList<>();
        for (int v = 0; v < VERTICES; v++) {
            float[] features = new float[40];
            features[0] = v;
            features[39] = 1;
            records.add(new VertexRecord(v, features, v % 7, v % 2 == 0 ? VertexSplit.TRAIN : VertexSplit.NONE));
        }
        return records;
    }

    /** Vertices in the order of the topic, and what else is there as sentences. */
    private List<VertexRecord> read(List<String> others) {
        List<VertexRecord> records = new ArrayList<>();
        new VertexTopicReader(broker.bootstrapServers(), Map.of())
                .readAll(topics.vertices(), new VertexTopicReader.VertexHandler() {
                    @Override
                    public void accept(VertexRecord vertex) {
                        records.add(vertex);
                    }

                    @Override
                    public void gone(long vertex) {
                        others.add("gone " + vertex);
                    }

                    @Override
                    public void rejected(RejectedRecord record) {
                        others.add(record.reason());
                    }
                });
        return records;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void writesEveryVertexOnceHoweverOftenItFails(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        VertexFiles files = files();
        int failures = 0;
        VertexFileIngest.Result last = null;
        while (last == null) {
            AtomicLong rowsLeft = new AtomicLong(random.nextLong(1, 900 + 200L * failures));
            try {
                last = ingest(false, () -> {
                            if (rowsLeft.decrementAndGet() < 0) {
                                throw new IllegalStateException("injected");
                            }
                        })
                        .run(files);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage("injected");
                failures++;
            }
        }
        assertThat(failures).isPositive();
        assertThat(last.vertices() + last.verticesBefore()).isEqualTo(VERTICES);
        assertThat(read(new ArrayList<>())).isEqualTo(expected());
        assertThat(notes).anyMatch(note -> note.contains(": resumes after its first "));
    }

    @Test
    void whatIsFinishedIsSkippedUnlessItIsRestarted() throws IOException {
        VertexFiles files = files();
        assertThat(ingest(false, () -> {}).run(files)).isEqualTo(new VertexFileIngest.Result(VERTICES, 0));
        assertThat(ingest(false, () -> {}).run(files)).isEqualTo(new VertexFileIngest.Result(0, VERTICES));
        assertThat(notes).hasSize(1).first().asString().contains("is skipped: the topic has its 3,000 vertices");
        assertThat(ingest(true, () -> {}).run(files)).isEqualTo(new VertexFileIngest.Result(VERTICES, 0));
        assertThat(read(new ArrayList<>())).hasSize(2 * VERTICES);
    }

    @Test
    void aWrongRowLeavesNothingOnTheTopic() throws IOException {
        VertexFiles files = files();
        Files.writeString(folder.resolve("s.txt"), "train\n".repeat(VERTICES - 1) + "trane\n");
        assertThatThrownBy(() -> ingest(false, () -> {}).run(files))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("s.txt: line 3000 has 'trane'");
        assertThat(read(new ArrayList<>())).isEmpty();
    }

    @Test
    void readsWhatOtherProducersWriteAndSaysWhatIsNone() {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            send(producer, "5", "{\"label\":1}");
            send(producer, "6", "{\"label\":1,");
            send(producer, "5", null);
        }
        List<String> others = new ArrayList<>();
        assertThat(read(others)).containsExactly(new VertexRecord(5, new float[0], 1, VertexSplit.NONE));
        assertThat(others).hasSize(2);
        assertThat(others.get(0)).startsWith("the value is not valid JSON");
        assertThat(others.get(1)).isEqualTo("gone 5");
    }

    private void send(KafkaProducer<byte[], byte[]> producer, String key, String value) {
        producer.send(new ProducerRecord<>(
                topics.vertices(),
                key.getBytes(StandardCharsets.UTF_8),
                value == null ? null : value.getBytes(StandardCharsets.UTF_8)));
    }
}
