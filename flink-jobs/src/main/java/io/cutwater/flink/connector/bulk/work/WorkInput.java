package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.state.disk.RemovalResolver;
import io.cutwater.state.disk.RowMarks;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.scratch.ScratchWork;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens the input of a source's work, as often as it is read. Of an input whose edges have keys it shows only the edge
 * that each key has at the end; for that it reads the input once more, before all else.
 */
final class WorkInput implements Closeable {
    private static final String FOLDER = "keys";

    private final EdgeInput input;
    private final @Nullable ScratchFolder files;
    private final @Nullable RemovalResolver keys;

    private WorkInput(EdgeInput input, @Nullable ScratchFolder files, @Nullable RemovalResolver keys) {
        this.input = input;
        this.files = files;
        this.keys = keys;
    }

    /** @param scratch a folder for scratch files, which may contain those of an earlier attempt */
    static WorkInput of(EdgeInput input, Path scratch, BulkStage stage) throws IOException, InterruptedException {
        if (!(input instanceof EdgeInput.Net net) || !net.topic().format().hasKeys()) {
            return new WorkInput(input, null, null);
        }
        ScratchFolder files = new ScratchFolder(scratch.resolve(FOLDER));
        files.clear();
        try {
            return new WorkInput(input, files, search(input, files, stage));
        } catch (IOException | InterruptedException | RuntimeException e) {
            files.delete();
            throw e;
        }
    }

    private static RemovalResolver search(EdgeInput input, ScratchFolder files, BulkStage stage)
            throws IOException, InterruptedException {
        stage.begin(BulkStage.READING);
        long count = 0;
        try (RemovalResolver search = RemovalResolver.ofKeys(files);
                ParsedAhead rows = new ParsedAhead(() -> OrderedInput.open(input, InputPosition.START))) {
            for (EdgeBatch batch; (batch = rows.next()) != null; rows.giveBack(batch)) {
                search.add(batch);
                count += batch.size();
                stage.read(count, part(input, batch));
            }
            ScratchWork.run(() -> search.finish(stage::passed));
            return search;
        }
    }

    OrderedInput open(InputPosition from) throws IOException {
        OrderedInput rows = OrderedInput.open(input, from);
        return keys == null
                ? rows
                : new Newest(
                        rows, keys.marks(from.within().row()), from.within().row(), keys.rowCount());
    }

    /** Returns the part of the input that is read when this batch was the last, 0 to 1. */
    double part(EdgeBatch batch) {
        return part(input, batch);
    }

    private static double part(EdgeInput input, EdgeBatch batch) {
        return Math.min(1, (double) batch.progress() / Math.max(1, input.length()));
    }

    @Override
    public void close() throws IOException {
        if (files != null) {
            files.delete();
        }
    }

    /** The rows that are the edge of their key at the end; a position says in its row how many rows were before. */
    static final class Newest implements OrderedInput {
        private final OrderedInput input;
        private final RowMarks marks;
        private final EdgeBatch rows = new EdgeBatch();
        private final long lastRow;
        private long rowCount;

        Newest(OrderedInput input, RowMarks marks, long rowCount, long lastRow) {
            this.input = input;
            this.marks = marks;
            this.rowCount = rowCount;
            this.lastRow = lastRow;
        }

        @Override
        public boolean read(EdgeBatch into) throws IOException, InterruptedException {
            while (into.isEmpty() && into.rejected().isEmpty()) {
                rows.clear();
                if (!input.read(rows)) {
                    requireAllRows();
                    return false;
                }
                rowCount += rows.size();
                for (int i = 0; i < rows.size(); i++) {
                    if (marks.next() == RowMarks.KEPT) {
                        into.addFrom(rows, i);
                    }
                }
                rows.rejected().forEach(into::reject);
                into.setProgress(rows.progress());
            }
            return true;
        }

        /** The marks are those of rows by number, so a row that is gone would shift them. */
        private void requireAllRows() throws IOException {
            if (rowCount != lastRow) {
                throw new IOException(
                        ("the topic had %,d records of edges when it was read first, and has %,d now: it was"
                                        + " compacted, or records were deleted, while the job read it; start the job again, or"
                                        + " give the topic a longer min.compaction.lag.ms")
                                .formatted(lastRow, rowCount));
            }
        }

        @Override
        public InputPosition position() {
            InputPosition at = input.position();
            return new InputPosition(at.part(), new EdgeFilePosition(at.within().offset(), rowCount, 0));
        }

        @Override
        public void close() throws IOException {
            try (OrderedInput first = input;
                    RowMarks second = marks) {
                // That is all.
            }
        }
    }
}
