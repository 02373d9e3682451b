package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens journals of earlier builds, from the test resources {@code golden/VERSION/journals.zip}: this build reads the
 * same shard, or reports that it reads the topic again.
 */
class GoldenJournalTest {
    private static final int SHARD = 3;
    private static final String IDENTITY = "shard 3, topic partition 1 of topic golden";
    private static final int EDGES = 300;
    private static final long FIRST_CUT = EDGES;
    private static final long SECOND_CUT = EDGES + 100;
    private static final List<Long> BOOK_CUT = List.of(70L, 50L);

    @TempDir
    private Path temp;

    private final List<String> lost = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = "v1")
    void aJournalOfAnEarlierBuildHasItsCutsOrBeginsAnewAndSaysSo(String version) throws Exception {
        unpack(version);
        ShardJournal shard = shard(temp);
        for (long cut : new long[] {FIRST_CUT, SECOND_CUT}) {
            List<Long> begins = new ArrayList<>();
            shard.moveTo(cut, (from, to, into) -> {
                begins.add(from);
                feed(from, to, into);
            });
            assertThat(begins.isEmpty() || begins.get(0) == 0 && lost.size() == 1)
                    .as("reads nothing, or all and says why: from %s, %s", begins, lost)
                    .isTrue();
            assertThat(JournalContents.of(shard)).isEqualTo(expected(cut));
        }
        BookJournal book = book(temp);
        List<List<Long>> begins = new ArrayList<>();
        book.moveTo(BOOK_CUT, (from, to, into) -> {
            begins.add(from);
            feedBook(into);
        });
        assertThat(begins.isEmpty() || begins.equals(List.of(List.of(0L, 0L)))).isTrue();
        List<String> entries = new ArrayList<>();
        book.read((vertex, owner, degree) -> entries.add(vertex + " " + owner + " " + degree));
        assertThat(entries).hasSize(99).contains("7 3 70", "98 2 980").doesNotContain("5 1 50");
    }

    /** Writes golden journals of this build; {@code golden/README.md} in the test resources has the command. */
    @Test
    @Tag("writes-golden-files")
    void writesTheJournalsOfThisBuild() throws Exception {
        ShardJournal shard = shard(temp);
        shard.moveTo(FIRST_CUT, GoldenJournalTest::feed);
        shard.moveTo(SECOND_CUT, GoldenJournalTest::feed);
        book(temp).moveTo(BOOK_CUT, (from, to, into) -> feedBook(into));
        Path folder = Files.createDirectories(Path.of(System.getProperty("golden.write")));
        try (OutputStream out = Files.newOutputStream(folder.resolve("journals.zip"));
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(temp)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(temp.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
    }

    private ShardJournal shard(Path folder) throws IOException {
        return new ShardJournal(folder.resolve("shard-00003"), SHARD, IDENTITY, lost::add);
    }

    private BookJournal book(Path folder) throws IOException {
        return new BookJournal(folder.resolve("book"), 2, "2 topic partitions of topic golden", lost::add);
    }

    private void unpack(String version) throws IOException {
        String resource = "/golden/%s/journals.zip".formatted(version);
        try (InputStream in = Objects.requireNonNull(GoldenJournalTest.class.getResourceAsStream(resource), resource);
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = temp.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }

    /** Feeds edges with owners and rows, and then removes every third edge. */
    private static void feed(long from, long to, ChangeHandler into) {
        for (long offset = from; offset < to; offset++) {
            boolean isNew = offset < EDGES;
            EdgeBatch batch = new EdgeBatch();
            long edge = isNew ? offset : 3 * (offset - EDGES);
            batch.add(edge % 41 - 7, edge % 29);
            batch.setPlace(0, Place.of(SHARD, (int) (edge % 5)));
            into.edges(SHARD, new Header(isNew ? Kind.ADD_OWNED : Kind.REMOVE_OWNED, 0), batch);
            if (isNew && offset % 10 == 0) {
                into.data(SHARD, row(offset % 29));
            }
            if (!isNew && offset % 10 == 0) {
                into.gone(SHARD, offset % 29);
            }
        }
    }

    private static VertexRecord row(long vertex) {
        return new VertexRecord(vertex, new float[] {0.5f, vertex}, (int) vertex % 3, VertexSplit.TEST);
    }

    private static void feedBook(BookJournal.Handler into) throws IOException {
        for (long vertex = 0; vertex < 100; vertex++) {
            into.entry(vertex, (int) vertex % 4, 10 * vertex);
        }
        into.gone(5);
    }

    private static Map<String, Object> expected(long cut) {
        JournalContents contents = new JournalContents();
        feed(0, cut, contents);
        return contents.expected();
    }
}
