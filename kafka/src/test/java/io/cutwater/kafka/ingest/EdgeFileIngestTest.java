package io.cutwater.kafka.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.ingest.EdgeFileIngest.FileResult;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.VertexTexts;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EdgeFileIngestTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private IngestScene scene;

    @BeforeEach
    void createTopics(@TempDir Path folder) {
        scene = new IngestScene(broker.bootstrapServers(), folder);
    }

    @ParameterizedTest
    @EnumSource(
            value = EdgeEventFormat.class,
            names = {"CSV", "BATCH"})
    void writesEveryEdgeOfManyFilesAndSkipsThemTheSecondTime(EdgeEventFormat format) throws IOException {
        List<IngestFile> files = scene.files(5);
        EdgeFileIngest.Result result = new EdgeFileIngest(scene.options(format, false), scene).run(files);
        assertThat(result.edges()).isEqualTo(5 * IngestScene.EDGES).isEqualTo(scene.edgesToldOf());
        assertThat(result.files())
                .containsExactlyElementsOf(files.stream()
                        .map(file -> new FileResult(file.path(), IngestScene.EDGES, 1, 0, false))
                        .toList());
        assertThat(scene.notes).isEmpty();

        result = new EdgeFileIngest(scene.options(format, false), scene).run(files);
        assertThat(result.edges()).isZero();
        assertThat(result.files()).allMatch(FileResult::wasFinished);
        assertThat(scene.notes)
                .containsExactlyInAnyOrderElementsOf(files.stream()
                        .map(file -> "%s is skipped: the topic has its %,d edges; give --restart to write them again"
                                .formatted(file.path(), IngestScene.EDGES))
                        .toList());
        assertThat(scene.committedEdges(format)).isEqualTo(IngestScene.expected(5));
        assertThat(scene.deadLetters()).isEqualTo(5);
    }

    @Test
    void fieldsOfAFileAreEdgesAndOtherFieldsAreOtherEdges() throws IOException {
        StringBuilder lines = new StringBuilder("{\"from\":1}\n");
        for (String edge : IngestScene.expected(1)) {
            String[] ends = edge.split(" "); // and no weight and timestamp
            lines.append("{\"from\":%s,\"to\":{\"account\":\"%s\"}}\n".formatted(ends[0], ends[1]));
        }
        Path path = Files.writeString(scene.folder.resolve("payments.jsonl"), lines);
        FieldMapping mapping = FieldMapping.parse("from", "to.account", "", "", "");
        IngestFile file = new IngestFile(path, EdgeFileFormat.ofName(path), null, mapping, false);
        EdgeFileIngest ingest = scene.ingest(EdgeFiles::open);
        assertThat(ingest.run(List.of(file)).edges()).isEqualTo(IngestScene.EDGES);
        assertThat(ingest.run(List.of(file)).files()).allMatch(FileResult::wasFinished);
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).isEqualTo(IngestScene.expected(1));
        assertThat(scene.deadLetters()).isEqualTo(1);
        FieldMapping swapped = FieldMapping.parse("to.account", "from", "", "", "");
        IngestFile other = new IngestFile(path, EdgeFileFormat.JSON, null, swapped, false);
        assertThat(ingest.run(List.of(other)).edges()).isEqualTo(IngestScene.EDGES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void textsAtTheEndsOfEdgesGoToTheTopicAsTheyAre(boolean isMapped) throws IOException {
        Path path = scene.folder.resolve(isMapped ? "payments.jsonl" : "payments.txt");
        String last = "user:\u00e9\u4e2d";
        String text = isMapped
                ? "{\"id\":3,\"payer\":\"a \\\"quoted\\\" \\\\ \\u0001\",\"payee\":17}\n"
                        + "{\"id\":4,\"payer\":\"\",\"payee\":1}\n"
                        + "{\"id\":5,\"payer\":\"%s\",\"payee\":\"b\"}\n".formatted(last)
                : "user:17 shop\"4\\ 0.5\nno-target\n%s 17\n".formatted(last);
        byte[] tooLong = (isMapped
                        ? "{\"id\":6,\"payer\":\"%s\",\"payee\":1}\n".formatted("x".repeat(5_000))
                        : "x".repeat(5_000) + " 1\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] notUtf8 = (isMapped ? "{\"id\":7,\"payer\":\"\u00ff\",\"payee\":1}\n" : "\u00ff 1\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(path, text.getBytes(StandardCharsets.UTF_8));
        Files.write(path, tooLong, StandardOpenOption.APPEND);
        Files.write(path, notUtf8, StandardOpenOption.APPEND);
        FieldMapping mapping = isMapped ? FieldMapping.parse("payer", "payee", "", "", "id") : null;
        EdgeFileIngest ingest = new EdgeFileIngest(scene.options(EdgeEventFormat.JSON, false), scene);
        IngestFile file = new IngestFile(path, EdgeFileFormat.ofName(path), null, mapping, true);
        assertThat(ingest.run(List.of(file)).edges()).isEqualTo(2);
        assertThat(scene.deadLetters()).isEqualTo(3);
        Map<String, String> options = new HashMap<>(Map.of("event-format", "json", "ids", "text"));
        if (isMapped) {
            options.put("edge-key", "key");
        }
        List<String> read = new ArrayList<>();
        for (EdgeBatch rows : scene.committedRows(RecordFormatOptions.parse(options))) {
            assertThat(rows.rejected()).isEmpty();
            VertexTexts texts = rows.texts();
            for (int i = 0; i < texts.size(); i++) {
                read.add(new String(texts.bytes(), texts.from(i), texts.to(i) - texts.from(i), StandardCharsets.UTF_8));
            }
        }
        assertThat(read)
                .containsExactlyInAnyOrderElementsOf(
                        isMapped
                                ? List.of("a \"quoted\" \\ \u0001", "17", last, "b")
                                : List.of("user:17", "shop\"4\\", last, "17"));
    }

    /** The topic has two partitions, and each key has several rows. */
    @ParameterizedTest
    @EnumSource(names = {"JSON", "BATCH"})
    void rowsWithTheSameKeyKeepTheirOrder(EdgeEventFormat format) throws IOException {
        StringBuilder rows = new StringBuilder("id,payer,payee\n");
        int keys = 1_000;
        for (int row = 0; row < IngestScene.EDGES; row++) {
            rows.append("%d,%d,%d\n".formatted(row * 7 % keys, row, -row));
        }
        Path path = Files.writeString(scene.folder.resolve("payments.csv"), rows);
        FieldMapping mapping = FieldMapping.parse("payer", "payee", "", "", "id");
        EdgeFileIngest ingest = new EdgeFileIngest(scene.options(format, false), scene);
        ingest.run(List.of(new IngestFile(path, EdgeFileFormat.TEXT, null, mapping, false)));
        List<EdgeBatch> partitions = scene.committedRows(
                RecordFormatOptions.parse(Map.of("event-format", format.toString(), "edge-key", "key")));
        Map<Long, Integer> partitionOf = new HashMap<>();
        Map<Long, Long> last = new HashMap<>();
        int count = 0;
        for (int partition = 0; partition < partitions.size(); partition++) {
            EdgeBatch read = partitions.get(partition);
            assertThat(read.rejected()).isEmpty();
            count += read.size();
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.key(i)).isEqualTo(read.source(i) * 7 % keys);
                assertThat(partitionOf.merge(read.key(i), partition, (before, now) -> before))
                        .isEqualTo(partition);
                assertThat(last.merge(read.key(i), read.source(i), (before, now) -> before < now ? now : -1))
                        .isEqualTo(read.source(i));
            }
        }
        assertThat(count).isEqualTo(IngestScene.EDGES);
        assertThat(partitionOf.values()).contains(0, 1);
    }

    @Test
    void removingWhatAFileHasAddedIsOtherWorkThanAddingIt() throws IOException {
        List<IngestFile> files = scene.files(1);
        scene.ingest(EdgeFiles::open).run(files);
        EdgeFileIngest removal = new EdgeFileIngest(scene.removing(), scene);
        assertThat(removal.run(files).edges()).isEqualTo(IngestScene.EDGES);
        assertThat(removal.run(files).files()).allMatch(FileResult::wasFinished);
        List<String> expected = new ArrayList<>(IngestScene.expected(1));
        IngestScene.expected(1).forEach(edge -> expected.add("remove " + edge));
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void aFileOfTheSameIdMustHaveTheSameSize() throws IOException {
        IngestFile file = new IngestFile(scene.files(1).get(0).path(), EdgeFileFormat.TEXT, "daily");
        EdgeFileIngest ingest = scene.ingest(EdgeFiles::open);
        ingest.run(List.of(file));
        Path moved = Files.move(file.path(), scene.folder.resolve("moved.txt"));
        IngestFile same = new IngestFile(moved, EdgeFileFormat.TEXT, "daily");
        assertThat(ingest.run(List.of(same)).files().get(0).wasFinished()).isTrue();
        long bytes = Files.size(moved);
        Files.writeString(moved, "1 2\n");
        assertThatThrownBy(() -> ingest.run(List.of(same)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "%s has 4 bytes, but had %d when it was ingested; give another id than daily, or restart it to write all of"
                                + " it again",
                        moved, bytes);
    }

    @Test
    void aChangedFileOfTheSameNameAndSizeIsRefusedAndNotTakenForTheIngestedOne() throws IOException {
        IngestFile file = scene.files(1).get(0);
        EdgeFileIngest ingest = scene.ingest(EdgeFiles::open);
        ingest.run(List.of(file));
        FileTime ingested = Files.getLastModifiedTime(file.path());
        Files.setLastModifiedTime(file.path(), FileTime.fromMillis(ingested.toMillis() + 1));
        assertThatThrownBy(() -> ingest.run(List.of(file)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file.path() + " was modified at ")
                .hasMessageEndingWith("give a new file another name, or restart it to write all of it again");
        String text = Files.readString(file.path());
        Files.writeString(file.path(), new StringBuilder(text).reverse());
        Files.setLastModifiedTime(file.path(), ingested);
        assertThatThrownBy(() -> ingest.run(List.of(file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has the size of the file that was ingested, but its content is another one");
        Files.writeString(file.path(), text);
        Files.setLastModifiedTime(file.path(), ingested);
        assertThat(ingest.run(List.of(file)).files().get(0).wasFinished()).isTrue();
    }

    @Test
    void refusesAFileThatIsNamedTwiceOrIsNotThere() throws IOException {
        IngestFile file = scene.files(1).get(0);
        EdgeFileIngest ingest = scene.ingest(EdgeFiles::open);
        assertThatThrownBy(() -> ingest.run(List.of(file, file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("are the same file, or have the same id; name it once");
        IngestFile absent = new IngestFile(scene.folder.resolve("absent"), EdgeFileFormat.TEXT);
        assertThatThrownBy(() -> ingest.run(List.of(file, absent)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("absent does not exist");
    }

    @Test
    void saysInOneSentenceThatATopicIsNotThere() throws IOException {
        List<IngestFile> files = scene.files(1);
        Topics absent = new Topics("absent.");
        EdgeFileIngestOptions noProgress = EdgeFileIngestOptions.of(
                scene.target(scene.topics.edges(), EdgeEventFormat.BATCH), absent.ingestProgress());
        assertThatThrownBy(() -> new EdgeFileIngest(noProgress, scene).run(files))
                .isInstanceOf(TopicMissingException.class)
                .hasMessageContaining("absent.ingest-progress");
        EdgeFileIngestOptions noEdges = EdgeFileIngestOptions.of(
                scene.target(absent.edges(), EdgeEventFormat.BATCH), scene.topics.ingestProgress());
        assertThatThrownBy(() -> new EdgeFileIngest(noEdges, scene).run(files))
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("cannot write to topic absent.edges at ");
    }

    @Test
    void sharesTheRateAmongItsThreads() throws IOException {
        List<IngestFile> files = scene.files(3);
        IngestOptions slow = new IngestOptions(
                broker.bootstrapServers(),
                scene.topics.edges(),
                scene.topics.deadLetters(),
                EdgeEventFormat.BATCH,
                2048,
                40_000,
                Map.of());
        long start = System.nanoTime();
        new EdgeFileIngest(new EdgeFileIngestOptions(slow, scene.topics.ingestProgress(), 3, 1_000_000, false), scene)
                .run(files);
        double seconds = (System.nanoTime() - start) / 1e9;
        // 60,000 edges; the last batch of each thread need not be waited for.
        assertThat(seconds).isGreaterThan(1.2);
    }
}
