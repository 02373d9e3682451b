package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.journal.file.DamagedJournalException;
import io.cutwater.trainer.journal.file.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardJournalTest {
    private static final String IDENTITY = "shard 3 of a test";
    private static final int FEW_ROWS = 4;
    private static final long NO_SLACK = 0;

    @TempDir
    Path temp;

    private final List<String> lost = new ArrayList<>();

    private Path folder() {
        return temp.resolve("journal");
    }

    private ShardJournal open(Path folder) throws IOException {
        return new ShardJournal(folder, JournalRecords.SHARD, IDENTITY, lost::add, FEW_ROWS, NO_SLACK);
    }

    /** Moves forward and back, fails, reopens, and simulates kills before and after a position is written. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void hasWhatTheRecordsSayAtEveryCut(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        JournalRecords records = new JournalRecords();
        RandomJournalRecords graph = new RandomJournalRecords(random, records);
        List<Long> cuts = new ArrayList<>(List.of(0L));
        ShardJournal journal = open(folder());
        for (int round = 0; round < 30; round++) {
            for (int steps = random.nextInt(60); steps > 0; steps--) {
                graph.step();
            }
            boolean back = random.nextInt(4) == 0;
            long cut = back ? cuts.get(random.nextInt(cuts.size())) : records.end();
            cuts.add(cut);
            if (random.nextInt(4) == 0) {
                records.failsAt = random.nextLong(records.end() + 1);
                try {
                    journal.moveTo(cut, records::read);
                } catch (IOException e) {
                    assertThat(e).hasMessage("the broker has gone");
                }
                records.failsAt = Long.MAX_VALUE;
            }
            Path before = copy(folder(), temp.resolve("before"));
            journal.moveTo(cut, records::read);
            assertThat(JournalContents.of(journal)).as("cut %d", cut).isEqualTo(records.at(cut));
            if (random.nextInt(3) == 0) {
                if (!back && random.nextBoolean()) {
                    killBeforeThePosition(before);
                }
                journal = open(folder());
                long next = cuts.get(random.nextInt(cuts.size()));
                journal.moveTo(next, records::read);
                assertThat(JournalContents.of(journal)).as("cut %d", next).isEqualTo(records.at(next));
            }
        }
        assertThat(lost).isEmpty();
        ShardJournal fresh = new ShardJournal(temp.resolve("fresh"), JournalRecords.SHARD, IDENTITY, lost::add);
        fresh.moveTo(records.end(), records::read);
        journal.moveTo(records.end(), records::read);
        assertThat(JournalContents.edges(fresh)).isNotEmpty().isEqualTo(JournalContents.edges(journal));
    }

    /** Simulates a process that was killed before it replaced the positions of another folder. */
    private void killBeforeThePosition(Path before) throws IOException {
        copy(before.resolve("positions"), folder().resolve("positions"));
        for (Path file : files(before)) {
            if (!Files.exists(folder().resolve(file.getFileName()))) {
                copy(file, folder().resolve(file.getFileName()));
            }
        }
        Files.writeString(folder().resolve("positions.new"), "half");
    }

    private static Path copy(Path from, Path to) throws IOException {
        if (Files.isRegularFile(from)) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } else if (Files.exists(from)) {
            Files.createDirectories(to);
            for (Path file : files(to)) {
                Files.delete(file);
            }
            for (Path file : files(from)) {
                copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    @Test
    void readsOnFromWhereItIs() throws Exception {
        JournalRecords records = new JournalRecords();
        records.add(true, 1, 2, EdgeBatch.NO_PLACE);
        records.add(true, 2, 3, EdgeBatch.NO_PLACE);
        open(folder()).moveTo(1, records::read);
        ShardJournal again = open(folder());
        again.moveTo(1, records::read);
        again.moveTo(2, records::read);
        again.moveTo(1, records::read);
        assertThat(JournalContents.of(again)).isEqualTo(records.at(1));
        again.moveTo(2, records::read);
        assertThat(records.begins).containsExactly(0L, 1L);
    }

    @Test
    void theLastCutsAreKeptAndForAnOlderOneItBeginsAnew() throws Exception {
        JournalRecords records = new JournalRecords();
        for (int vertex = 0; vertex < 6; vertex++) {
            records.add(true, vertex, 2, EdgeBatch.NO_PLACE);
        }
        ShardJournal journal = open(folder());
        for (long cut = 1; cut <= 6; cut++) {
            journal.moveTo(cut, records::read);
        }
        records.begins.clear();
        for (long cut = 6; cut > 6 - Journal.KEPT_CUTS; cut--) {
            journal.moveTo(cut, records::read);
            assertThat(JournalContents.of(journal)).isEqualTo(records.at(cut));
        }
        assertThat(records.begins).isEmpty();
        journal.moveTo(2, records::read);
        assertThat(JournalContents.of(journal)).isEqualTo(records.at(2));
        assertThat(records.begins).containsExactly(0L);
    }

    @Test
    void whatIsOfAnotherTopicIsNotUsed() throws Exception {
        JournalRecords records = new JournalRecords();
        records.add(true, 1, 2, EdgeBatch.NO_PLACE);
        open(folder()).moveTo(1, records::read);
        ShardJournal other = new ShardJournal(folder(), JournalRecords.SHARD, "shard 3 of another", lost::add);
        other.moveTo(0, records::read);
        assertThat(JournalContents.of(other)).isEmpty();
        assertThat(lost)
                .singleElement()
                .asString()
                .endsWith("journal does not hold shard 3 of another; its topic is read again");
    }

    @Test
    void aFileThatIsTooShortIsNotUsed() throws Exception {
        JournalRecords records = filled();
        Path file = largest();
        Files.write(file, new byte[5]);
        ShardJournal again = open(folder());
        assertThat(lost).hasSize(1);
        again.moveTo(records.end(), records::read);
        assertThat(JournalContents.of(again)).isEqualTo(records.at(records.end()));
    }

    @Test
    void whatIsBehindThePositionIsCutOff() throws Exception {
        JournalRecords records = filled();
        Files.writeString(largest(), "more", StandardOpenOption.APPEND);
        long half = records.end();
        for (int vertex = 0; vertex < 40; vertex++) {
            records.add(true, vertex, -vertex, EdgeBatch.NO_PLACE);
        }
        ShardJournal again = open(folder());
        again.moveTo(half, records::read);
        assertThat(JournalContents.of(again)).isEqualTo(records.at(half));
        again.moveTo(records.end(), records::read);
        assertThat(JournalContents.of(again)).isEqualTo(records.at(records.end()));
        assertThat(lost).isEmpty();
    }

    @Test
    void aDamagedFileIsFoundAndMadeAnew() throws Exception {
        JournalRecords records = filled();
        Path file = largest();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 1;
        Files.write(file, bytes);
        ShardJournal again = open(folder());
        again.moveTo(records.end(), records::read);
        assertThatThrownBy(() -> JournalContents.of(again))
                .isInstanceOf(DamagedJournalException.class)
                .hasMessage("%s is damaged: its length or a checksum is wrong", file);
        again.moveTo(records.end(), records::read);
        assertThat(JournalContents.of(again)).isEqualTo(records.at(records.end()));
    }

    private JournalRecords filled() throws Exception {
        JournalRecords records = new JournalRecords();
        RandomJournalRecords graph = new RandomJournalRecords(new SplittableRandom(1), records);
        for (int steps = 0; steps < 200; steps++) {
            graph.step();
        }
        open(folder()).moveTo(records.end(), records::read);
        return records;
    }

    private Path largest() throws IOException {
        Path largest = folder().resolve("positions");
        long most = 0;
        for (Path file : files(folder())) {
            if (!file.endsWith("positions") && Files.size(file) > most) {
                most = Files.size(file);
                largest = file;
            }
        }
        return largest;
    }

    @Test
    void anEdgeThatLeavesMustHaveCome() throws Exception {
        JournalRecords records = new JournalRecords();
        records.add(false, 1, 2, EdgeBatch.NO_PLACE);
        ShardJournal journal = open(folder());
        journal.moveTo(1, records::read);
        assertThatThrownBy(() -> JournalContents.of(journal))
                .hasMessageStartingWith(
                        "edge (1, 2) is removed from shard 3 but was never added: records of the topic are missing");
    }

    /** Adds and removes the same edges many times, and changes data as often. */
    @Test
    void whatHasGoneTakesNoRoomForLong() throws Exception {
        JournalRecords records = new JournalRecords();
        for (int vertex = 0; vertex < 100; vertex++) {
            records.add(true, vertex, 0, EdgeBatch.NO_PLACE);
            records.data(vertex, 1, vertex, 1, 2, 3);
        }
        ShardJournal journal = open(folder());
        journal.moveTo(200, records::read);
        long room = room();
        for (int change = 0; change < 30; change++) {
            for (int vertex = 0; vertex < 50; vertex++) {
                records.add(false, vertex, 0, EdgeBatch.NO_PLACE);
                records.add(true, vertex, 0, EdgeBatch.NO_PLACE);
                records.data(vertex, 2, vertex, change, 2, 3);
            }
            journal.moveTo(records.end(), records::read);
        }
        assertThat(JournalContents.of(journal)).isEqualTo(records.at(records.end()));
        assertThat(room()).isLessThan((2 + Journal.KEPT_CUTS) * 2 * room);
    }

    private long room() throws IOException {
        long room = 0;
        for (Path file : files(folder())) {
            room += Files.size(file);
        }
        return room;
    }
}
