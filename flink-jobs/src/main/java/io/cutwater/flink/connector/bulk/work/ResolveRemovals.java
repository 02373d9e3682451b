package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.state.disk.RemovalResolver;
import io.cutwater.state.disk.RowMarks;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.scratch.ScratchFolder;
import io.cutwater.state.scratch.ScratchWork;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the edges that are left at the end of an input, then reads it pass by pass and hands these on. An input without
 * removals is read once more than it has passes, and needs no disk. The result is a function of the input, so an
 * attempt after a crash finds the same.
 */
final class ResolveRemovals {
    private final InputWork.Net work;
    private final BulkSplit from;
    private final BatchHandover out;
    private final BulkStage stage;

    /** @param from position at which emitting begins; its edges are those of all passes */
    ResolveRemovals(InputWork.Net work, BulkSplit from, BatchHandover out, BulkStage stage) {
        this.work = work;
        this.from = from;
        this.out = out;
        this.stage = stage;
    }

    void run(Path scratch) throws IOException, InterruptedException {
        ScratchFolder files = new ScratchFolder(scratch);
        files.clear();
        stage.begin(BulkStage.READING);
        try (WorkInput input = WorkInput.of(work.input(), scratch, stage)) {
            Rows rows = work.dedupe() == null ? read(input, null) : new Rows(0, true);
            if (rows.someAreLeftOut()) {
                try (RemovalResolver search = new RemovalResolver(files, work.dedupe())) {
                    rows = read(input, search);
                    ScratchWork.run(() -> search.finish(stage::passed));
                    stage.found(search.unknownRemovals());
                    emit(input, rows.count(), search);
                }
            } else {
                emit(input, rows.count(), null);
            }
        } finally {
            files.delete();
        }
    }

    /**
     * Rows of the input.
     *
     * @param someAreLeftOut whether there may be rows that are not emitted
     */
    private record Rows(long count, boolean someAreLeftOut) {}

    /** Reads the whole input into a search; without one, only up to the first removal. */
    private Rows read(WorkInput input, @Nullable RemovalResolver search) throws IOException, InterruptedException {
        long count = 0;
        try (ParsedAhead edges = new ParsedAhead(() -> input.open(InputPosition.START))) {
            for (EdgeBatch batch; (batch = edges.next()) != null; edges.giveBack(batch)) {
                count += batch.size();
                if (search != null) {
                    search.add(batch);
                } else if (batch.hasRemovals()) {
                    return new Rows(count, true);
                }
                stage.read(count, input.part(batch));
            }
        }
        return new Rows(count, search != null);
    }

    private void emit(WorkInput input, long rowCount, @Nullable RemovalResolver search)
            throws IOException, InterruptedException {
        stage.begin(BulkStage.EMITTING);
        InputPosition position = from.input();
        long before = rowCount == 0 ? 0 : from.edges() % rowCount;
        int pass = rowCount == 0 ? 0 : (int) (from.edges() / rowCount);
        if (before == 0 && pass > 0 && !position.equals(InputPosition.START)) {
            // Malformed records may follow the last edge of a pass.
            pass--;
            before = rowCount;
        }
        for (; pass < work.passes(); pass++) {
            emit(input, pass, before, position, rowCount, search);
            before = 0;
            position = InputPosition.START;
        }
    }

    private void emit(
            WorkInput from,
            int pass,
            long before,
            InputPosition position,
            long rowCount,
            @Nullable RemovalResolver search)
            throws IOException, InterruptedException {
        long rows = before;
        try (OrderedInput input = from.open(position);
                RowMarks marks = search == null ? null : search.marks(before)) {
            EdgeBatch batch = out.takeEmpty();
            while (input.read(batch)) {
                if (pass > 0 && batch.isEmpty()) {
                    batch.clear(); // the first pass has already emitted these records
                    continue;
                }
                rows += batch.size();
                if (rows > rowCount) {
                    break;
                }
                if (marks != null) {
                    marks.mark(batch);
                }
                batch.setPass(pass).setProgress(pass * work.input().topic().length() + batch.progress());
                out.hand(batch, new BulkSplit(pass * rowCount + rows, input.position()));
                batch = out.takeEmpty();
            }
        }
        if (rows != rowCount) {
            throw new IOException(
                    "the input had %,d edges and removals when it was read first, and has %s now; it must not change while the job runs"
                            .formatted(rowCount, rows < rowCount ? "fewer" : "more"));
        }
    }
}
