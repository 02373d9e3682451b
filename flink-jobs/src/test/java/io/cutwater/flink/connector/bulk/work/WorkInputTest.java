package io.cutwater.flink.connector.bulk.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.state.disk.RemovalResolver;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic whose newest edges of each key are read, and which may be compacted meanwhile. */
class WorkInputTest {
    private static final EdgeBatch ROWS = rows(7, 8, 7, 9);

    @TempDir
    private Path folder;

    /** The edge of row i leads from i, and has a key. */
    private static EdgeBatch rows(long... keys) {
        EdgeBatch rows = new EdgeBatch();
        for (int i = 0; i < keys.length; i++) {
            rows.add(i, 100);
            rows.setKey(i, keys[i]);
        }
        return rows;
    }

    /** Rows one by one, those that are left. */
    private record Rows(EdgeBatch all, List<Integer> left) implements OrderedInput {
        @Override
        public boolean read(EdgeBatch into) {
            if (left.isEmpty()) {
                return false;
            }
            into.addFrom(all, left.remove(0));
            return true;
        }

        @Override
        public InputPosition position() {
            return InputPosition.START;
        }

        @Override
        public void close() {}
    }

    private List<Long> read(int... left) throws Exception {
        ScratchFolder scratch = new ScratchFolder(folder);
        List<Long> sources = new ArrayList<>();
        try (RemovalResolver search = RemovalResolver.ofKeys(scratch)) {
            search.add(ROWS);
            search.finish((stage, share) -> {});
            List<Integer> rows = new ArrayList<>();
            for (int row : left) {
                rows.add(row);
            }
            try (OrderedInput newest =
                    new WorkInput.Newest(new Rows(ROWS, rows), search.marks(0), 0, search.rowCount())) {
                EdgeBatch batch = new EdgeBatch();
                while (newest.read(batch)) {
                    for (int i = 0; i < batch.size(); i++) {
                        sources.add(batch.source(i));
                    }
                    batch.clear();
                }
            }
        }
        return sources;
    }

    @Test
    void theNewestRowOfEachKeyIsRead() throws Exception {
        assertThat(read(0, 1, 2, 3)).containsExactly(1L, 2L, 3L);
    }

    /** Without the row 0 the marks of the others would shift by one. */
    @Test
    void aRowThatCompactionHasTakenEndsTheJob() {
        assertThatThrownBy(() -> read(1, 2, 3))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("had 4 records of edges when it was read first, and has 3 now: it was compacted");
    }
}
