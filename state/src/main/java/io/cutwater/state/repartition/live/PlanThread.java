package io.cutwater.state.repartition.live;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.RepartitionRun;
import io.cutwater.state.scratch.LockedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/** Plans on a thread of its own, in a scratch folder; both are gone when it is closed. */
public final class PlanThread implements PlanWork {
    private static final int BATCHES = 8;
    private static final Input END = run -> {};
    private static final long CLOSE_MILLIS = 30_000;

    private final Start start;
    private final Path temporary;
    private final String name;
    private final BlockingQueue<Input> inputs = new LinkedBlockingQueue<>();
    private final Thread thread;
    private @Nullable RepartitionRun run;
    private volatile @Nullable RepartitionPlan plan;
    private volatile @Nullable Throwable failure;
    private boolean isClosed;

    /** Something that the run is told before it plans. */
    private interface Input {
        void into(RepartitionRun run) throws IOException;
    }

    /** Begins the run in a folder. */
    private interface Start {
        RepartitionRun in(Path folder) throws IOException;
    }

    /**
     * Starts it.
     *
     * @param temporary folder of the task for scratch files
     * @param name of this job's folder in there
     */
    public PlanThread(RepartitionRequest request, Path temporary, String name) {
        this(folder -> RepartitionRun.create(request, folder), temporary, name);
    }

    /**
     * Starts a part of a plan.
     *
     * @param temporary folder of the task for scratch files
     * @param name of this job's folder in there, for this part
     * @param exchange with the other parts
     * @param owner the part of each vertex
     */
    public PlanThread(
            RepartitionRequest request, Path temporary, String name, Exchange exchange, LongToIntFunction owner) {
        this(folder -> RepartitionRun.create(request, folder, exchange, owner), temporary, name);
    }

    private PlanThread(Start start, Path temporary, String name) {
        this.start = start;
        this.temporary = temporary;
        this.name = name;
        thread = new Thread(this::work, "plan " + name);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
    }

    private void work() {
        try (LockedFolder scratch = LockedFolder.take(temporary, name);
                RepartitionRun own = start.in(scratch.path())) {
            for (Input input = inputs.take(); input != END; input = inputs.take()) {
                input.into(own);
            }
            RepartitionPlan made = own.plan(BulkProgress.NONE);
            synchronized (this) {
                run = own;
                plan = made;
                while (!isClosed) {
                    wait(); // the moves are read from the files
                }
            }
        } catch (InterruptedException e) {
            // It was closed, so the plan is not needed.
        } catch (OutOfMemoryError e) {
            failure = new IOException(
                    "what a plan keeps of each vertex does not fit into the %,d MiB of heap that this process may take"
                            .formatted(Runtime.getRuntime().maxMemory() >> 20),
                    e);
        } catch (Throwable e) {
            failure = e;
        }
    }

    @Override
    public boolean takesMore() {
        return inputs.size() < BATCHES;
    }

    @Override
    public void add(EdgeBatch batch) {
        inputs.add(run -> run.add(batch));
    }

    @Override
    public void own(VertexBatch vertices) {
        inputs.add(run -> {
            for (int i = 0; i < vertices.size(); i++) {
                run.own(vertices.vertex(i), vertices.master(i));
            }
        });
    }

    @Override
    public void plan() {
        inputs.add(END);
    }

    @Override
    public @Nullable RepartitionPlan result() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw cause instanceof IOException io ? io : new IOException("planning failed: " + cause, cause);
        }
        return plan;
    }

    @Override
    public synchronized Moves moves() throws IOException {
        if (run == null) {
            throw new IllegalStateException("there is no plan yet");
        }
        return run.moves();
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            if (run == null) {
                thread.interrupt();
            }
            notifyAll(); // an interrupt would close the files that are being removed
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
