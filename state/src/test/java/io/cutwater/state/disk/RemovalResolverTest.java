package io.cutwater.state.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.NetEdges;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemovalResolverTest {
    @TempDir
    Path folder;

    static Stream<Arguments> rulesAndMemory() {
        return Stream.of(null, DuplicateRule.DIRECTED, DuplicateRule.UNDIRECTED)
                .flatMap(rule -> Stream.of(1, 3, 1000).map(maxEdges -> Arguments.of(rule, maxEdges)));
    }

    /** Memory for one edge: every bucket is divided until it holds copies of one alone. */
    @ParameterizedTest(name = "dedupe {0}, memory for {1} edges")
    @MethodSource("rulesAndMemory")
    void findsWhatLookingAtOneRowAfterTheOtherFinds(@Nullable DuplicateRule rule, int maxEdges) throws IOException {
        long removals = 0;
        for (long seed = 0; seed < 12; seed++) {
            EdgeBatch rows = seed % 2 == 0 ? NetEdges.sequence(seed) : NetEdges.sequenceWithVertices(seed);
            NetEdges expected = new NetEdges(rows, rule);
            try (RemovalResolver search = searched(rows, rule, maxEdges)) {
                assertThat(search.rowCount()).isEqualTo(rows.size());
                assertThat(search.unknownRemovals()).as("seed %d", seed).isEqualTo(expected.unknownRemovals());
                List<Integer> marks = marks(search, rows.size());
                long leftOut = 0;
                for (int i = 0; i < rows.size(); i++) {
                    assertThat(marks.get(i) == RowMarks.KEPT)
                            .as("seed %d, row %d", seed, i)
                            .isEqualTo(expected.isLeft(i));
                    leftOut += marks.get(i) == EdgeBatch.NO_PLACE ? 1 : 0;
                    removals += rows.isRemoval(i) ? 1 : 0;
                }
                assertThat(leftOut).isEqualTo(expected.unknownRemovals() + expected.duplicates());
            }
            new ScratchFolder(folder).clear();
            assertThat(folder).isEmptyDirectory();
        }
        assertThat(removals).isGreaterThan(500);
    }

    /** The rows that are left are those of a map from keys to the newest row. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void ofRowsWithKeysTheNewestIsLeft(int maxEdges) throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        EdgeBatch rows = new EdgeBatch();
        Map<Long, Integer> newest = new HashMap<>();
        for (int i = 0; i < 3_000; i++) {
            long key = random.nextInt(800);
            rows.add(0, 0);
            rows.setKey(i, key);
            if (random.nextInt(4) == 0) {
                rows.setRemoval(i);
                newest.remove(key);
            } else {
                newest.put(key, i);
            }
        }
        try (RemovalResolver search = new RemovalResolver(new ScratchFolder(folder), null, true, maxEdges)) {
            search.add(rows);
            search.finish((pass, share) -> {});
            List<Integer> marks = marks(search, rows.size());
            for (int i = 0; i < rows.size(); i++) {
                assertThat(marks.get(i) == RowMarks.KEPT).as("row %d", i).isEqualTo(newest.containsValue(i));
            }
        }
    }

    private RemovalResolver searched(EdgeBatch rows, @Nullable DuplicateRule rule, int maxEdges) throws IOException {
        RemovalResolver search = new RemovalResolver(new ScratchFolder(folder), rule, maxEdges);
        search.add(rows);
        search.finish((pass, share) -> {});
        return search;
    }

    private static List<Integer> marks(RemovalResolver search, int rows) throws IOException {
        List<Integer> marks = new ArrayList<>();
        try (RowMarks all = search.marks(0)) {
            for (int i = 0; i < rows; i++) {
                marks.add(all.next());
            }
        }
        return marks;
    }

    @Test
    void marksAreReadFromAnyRowOn() throws IOException {
        EdgeBatch rows = NetEdges.sequence(5);
        try (RemovalResolver search = searched(rows, null, 100)) {
            List<Integer> marks = marks(search, rows.size());
            assertThat(marks).contains(RowMarks.KEPT, EdgeBatch.TAKEN_AWAY, EdgeBatch.NO_PLACE);
            for (int from = 0; from <= rows.size(); from++) {
                try (RowMarks some = search.marks(from)) {
                    for (int i = from; i < Math.min(rows.size(), from + 40); i++) {
                        assertThat(some.next()).as("row %d from %d", i, from).isEqualTo(marks.get(i));
                    }
                }
            }
        }
    }

    /**
     * More rows of a bucket than a block of its file holds, and of one edge more than any number of buckets divides.
     */
    @Test
    void ofManyCopiesOfAnEdgeTheOldestGo() throws IOException {
        EdgeBatch rows = new EdgeBatch();
        for (int i = 0; i < 3_000; i++) {
            rows.add(7, 7);
            rows.add(i, -i);
        }
        for (int i = 0; i < 2_000; i++) {
            rows.add(7, 7);
            rows.setRemoval(rows.size() - 1);
        }
        try (RemovalResolver search = searched(rows, null, 2)) {
            List<Integer> marks = marks(search, rows.size());
            for (int i = 0; i < rows.size(); i++) {
                boolean isTaken = i >= 6_000 || i % 2 == 0 && i < 4_000;
                assertThat(marks.get(i)).as("row %d", i).isEqualTo(isTaken ? EdgeBatch.TAKEN_AWAY : RowMarks.KEPT);
            }
            assertThat(search.unknownRemovals()).isZero();
        }
    }

    @Test
    void nothingIsLeftOutWhereNothingIsRemovedAndDuplicatesStay() throws IOException {
        EdgeBatch rows = new EdgeBatch();
        rows.add(1, 2);
        rows.add(1, 2);
        try (RemovalResolver search = searched(rows, null, 10)) {
            assertThat(marks(search, 2)).containsOnly(RowMarks.KEPT);
            assertThatThrownBy(() -> search.add(rows))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the rows are searched: there are no more");
        }
    }
}
