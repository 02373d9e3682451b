package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookJournalTest {
    private static final int TOPIC_PARTITIONS = 2;
    private static final int GONE = -1;

    @TempDir
    Path temp;

    /** Records of each topic partition: vertex, owner or −1, degree. */
    private final List<List<long[]>> records = List.of(new ArrayList<>(), new ArrayList<>());

    private void feed(List<Long> from, List<Long> to, BookJournal.Handler into) throws IOException {
        for (int p = 0; p < TOPIC_PARTITIONS; p++) {
            for (long[] record :
                    records.get(p).subList(from.get(p).intValue(), to.get(p).intValue())) {
                if (record[1] == GONE) {
                    into.gone(record[0]);
                } else {
                    into.entry(record[0], (int) record[1], record[2]);
                }
            }
        }
    }

    private Map<Long, List<Long>> expected(List<Long> cut) {
        Map<Long, List<Long>> book = new TreeMap<>();
        for (int p = 0; p < TOPIC_PARTITIONS; p++) {
            for (long[] record : records.get(p).subList(0, cut.get(p).intValue())) {
                if (record[1] == GONE) {
                    book.remove(record[0]);
                } else {
                    book.put(record[0], List.of(record[1], record[2]));
                }
            }
        }
        return book;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void hasTheLastEntryOfEachVertex(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<Long>> cuts = new ArrayList<>(List.of(List.of(0L, 0L)));
        BookJournal journal = open();
        for (int round = 0; round < 40; round++) {
            for (int steps = random.nextInt(100); steps > 0; steps--) {
                long vertex = random.nextInt(60) - 10;
                records.get((int) (vertex & 1)).add(new long[] {vertex, random.nextInt(-1, 4), random.nextInt(50)});
            }
            List<Long> end =
                    List.of((long) records.get(0).size(), (long) records.get(1).size());
            List<Long> cut = random.nextInt(3) == 0 ? cuts.get(random.nextInt(cuts.size())) : end;
            cuts.add(cut);
            journal = random.nextInt(4) == 0 ? open() : journal;
            journal.moveTo(cut, this::feed);
            Map<Long, List<Long>> found = new TreeMap<>();
            journal.read((vertex, owner, degree) ->
                    assertThat(found.put(vertex, List.of((long) owner, degree))).isNull());
            assertThat(found).as("cut %s", cut).isEqualTo(expected(cut));
            BookTable table = BookTable.of(journal, cut, temp);
            Map<Long, List<Long>> lookedUp = new TreeMap<>();
            for (long vertex = -20; vertex < 60; vertex++) {
                table.find(vertex, (of, owner, degree) -> lookedUp.put(of, List.of((long) owner, degree)));
            }
            assertThat(lookedUp).as("cut %s", cut).isEqualTo(found);
        }
    }

    private BookJournal open() throws IOException {
        return new BookJournal(temp.resolve("book"), TOPIC_PARTITIONS, "a test", lost -> {}, 0);
    }
}
