package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.flink.connector.InputPosition;
import io.cutwater.flink.connector.OrderedInput;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.disk.LockedFolder;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;

/** What the thread of the source does: reads the input, places its edges in passes, reads it again and hands it on. */
final class BulkWork implements Runnable {
    private final EdgeInput input;
    private final BulkRequest request;
    private final Path temporary;
    private final String name;
    private final BulkSplit from;
    private final BatchHandover out;
    private final BulkStage stage;

    /**
     * @param temporary folder of the task for scratch files
     * @param name of this job's folder in there
     * @param from where emitting begins
     */
    BulkWork(
            EdgeInput input,
            BulkRequest request,
            Path temporary,
            String name,
            BulkSplit from,
            BatchHandover out,
            BulkStage stage) {
        this.input = input;
        this.request = request;
        this.temporary = temporary;
        this.name = name;
        this.from = from;
        this.out = out;
        this.stage = stage;
    }

    @Override
    public void run() {
        try {
            work();
            out.finish();
        } catch (InterruptedException e) {
            // The reader was closed, so nobody waits for an end.
        } catch (OutOfMemoryError e) {
            out.fail(new IOException(
                    ("what the bulk passes keep of each vertex does not fit into the %,d MiB of heap that this process"
                                    + " may take; give it more, or place live (--passes live, or no --bootstrap)")
                            .formatted(Runtime.getRuntime().maxMemory() >> 20),
                    e));
        } catch (Throwable e) {
            out.fail(e);
        }
    }

    private void work() throws IOException, InterruptedException {
        try (LockedFolder scratch = LockedFolder.take(temporary, name);
                BulkRun run = BulkRun.create(request, scratch.path())) {
            if (!run.isComplete()) {
                read(run);
                run.place(stage);
            }
            try {
                emit(run);
            } catch (IOException | InterruptedException e) {
                run.keep(); // for the attempt that follows
                throw e;
            }
        }
    }

    private void read(BulkRun run) throws IOException, InterruptedException {
        stage.begin(BulkSources.READING);
        EdgeBatch batch = new EdgeBatch();
        try (OrderedInput edges = OrderedInput.open(input, InputPosition.START)) {
            while (edges.read(batch)) {
                run.add(batch);
                stage.read(run.edgeCount());
                batch.clear();
                if (Thread.interrupted()) {
                    throw new InterruptedException("reading the input was interrupted");
                }
            }
        }
    }

    private void emit(BulkRun run) throws IOException, InterruptedException {
        stage.begin(BulkSources.EMITTING);
        long edges = from.edges();
        try (OrderedInput again = OrderedInput.open(input, from.input());
                PlacedInput places = run.places(edges)) {
            EdgeBatch batch = out.takeEmpty();
            while (again.read(batch)) {
                edges += batch.size();
                places.mark(batch);
                out.hand(batch, new BulkSplit(edges, again.position()));
                batch = out.takeEmpty();
            }
        }
        if (edges != run.edgeCount()) {
            throw new IOException(
                    "the input had %,d edges when they were placed, and has %,d now; it must not change while the job runs"
                            .formatted(run.edgeCount(), edges));
        }
    }
}
