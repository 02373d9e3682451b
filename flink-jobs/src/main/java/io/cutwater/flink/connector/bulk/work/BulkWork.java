package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.GivenPlaces;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads an input, places its edges in passes, reads it again and hands it on. */
final class BulkWork {
    private static final Logger LOG = LoggerFactory.getLogger(BulkWork.class);

    private final InputWork.Place work;
    private final BulkSplit from;
    private final BatchHandover out;
    private final BulkStage stage;

    /** @param from position at which emitting begins */
    BulkWork(InputWork.Place work, BulkSplit from, BatchHandover out, BulkStage stage) {
        this.work = work;
        this.from = from;
        this.out = out;
        this.stage = stage;
    }

    void run(Path scratch) throws IOException, InterruptedException {
        try {
            placeAndEmit(scratch);
        } catch (OutOfMemoryError e) {
            throw new IOException(
                    ("the bulk passes do not fit into the %,d MiB of heap of this process"
                                    + "; give it more, or place live (--passes live, or no --bootstrap)")
                            .formatted(Runtime.getRuntime().maxMemory() >> 20),
                    e);
        }
    }

    private void placeAndEmit(Path scratch) throws IOException, InterruptedException {
        BulkTask task = work.task();
        if (task == null) {
            placeAndEmit(scratch, BulkRun.create(work.request(), scratch));
            return;
        }
        try (TaskLink others = new TaskLink(task, work.parts())) {
            placeAndEmit(scratch, BulkRun.create(work.request(), scratch, others.meet()));
        }
    }

    private void placeAndEmit(Path scratch, BulkRun open) throws IOException, InterruptedException {
        try (BulkRun run = open;
                WorkInput input = WorkInput.of(work.input(), scratch, stage)) {
            if (!run.isComplete()) {
                read(run, input);
                place(run);
            }
            stage.found(run.unknownRemovals());
            try {
                emit(run, input);
            } catch (IOException | InterruptedException e) {
                run.keep(); // for the next attempt
                throw e;
            }
        }
    }

    private void place(BulkRun run) throws IOException, InterruptedException {
        StartPlaces from = work.given();
        if (from == null) {
            run.place(stage);
            return;
        }
        GivenPlaces given = from.read(work.options(), work.input().textIds());
        run.place(stage, given);
        if (given.taken() == 0 && run.edgeCount() > 0) {
            throw FinalFailure.of(
                    "none of the %,d places in %s is for an edge or vertex of the topic; check that both name vertices by the same ids"
                            .formatted(given.given(), from.path()));
        }
        LOG.info(
                "{} of the {} places in {} were taken over, {} have no edge in the topic",
                given.taken(),
                given.given(),
                from.path(),
                given.given() - given.taken());
    }

    private void read(BulkRun run, WorkInput input) throws IOException, InterruptedException {
        stage.begin(BulkStage.READING);
        try (ParsedAhead edges = new ParsedAhead(() -> input.open(InputPosition.START))) {
            for (EdgeBatch batch; (batch = edges.next()) != null; edges.giveBack(batch)) {
                run.add(batch);
                stage.read(run.edgeCount(), input.part(batch));
            }
        }
    }

    private void mark(EdgeBatch batch, PlacedInput places) throws IOException {
        if (work.shown() == InputWork.Shown.NONE) {
            places.fill(batch);
            return;
        }
        places.mark(batch);
        if (work.shown() == InputWork.Shown.UNKNOWN_REMOVALS) {
            batch.removeTakenAway();
        }
    }

    private void emit(BulkRun run, WorkInput input) throws IOException, InterruptedException {
        stage.begin(BulkStage.EMITTING);
        long edges = from.edges();
        try (OrderedInput again = input.open(from.input());
                PlacedInput places = run.places(edges)) {
            EdgeBatch batch = out.takeEmpty();
            while (again.read(batch)) {
                edges += batch.size();
                mark(batch, places);
                out.hand(batch, new BulkSplit(edges, again.position()));
                batch = out.takeEmpty();
            }
        }
        if (edges != run.edgeCount()) {
            throw new IOException(
                    "the input had %,d edges when they were placed, but has %,d now; it must not change while the job runs"
                            .formatted(run.edgeCount(), edges));
        }
    }
}
