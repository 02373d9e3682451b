package io.cutwater.state.joint;

import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Places for the edges of a buffer, chosen ahead while the stream goes on. A thread builds the graph of the edges; the
 * caller's thread then reads what is known of the vertices; another thread chooses the places.
 *
 * <p>The choice depends on the tables at the time when the plan began, and not on how far its threads have come: until
 * it is taken or dropped, the caller may only buffer further edges, which their endpoints count.
 */
public final class JointPlan {
    private final int size;
    private final JointPartitioner rule;
    private final VertexTable vertices;
    private final PartitionLoads loads;
    private final FutureTask<AdjacencyGraph> sorting;
    private @Nullable FutureTask<JointBuffer> choosing;

    /**
     * Begins.
     *
     * @param edges whose endpoints count them in their degrees; a copy of its own
     * @param loads of the open partitions
     */
    public JointPlan(EdgeBatch edges, JointPartitioner rule, VertexTable vertices, PartitionLoads loads) {
        size = edges.size();
        this.rule = rule;
        this.vertices = vertices;
        this.loads = loads;
        sorting = start(new FutureTask<>(() -> AdjacencyGraph.sorted(edges)));
    }

    private static <T> FutureTask<T> start(FutureTask<T> task) {
        Thread thread = new Thread(task, "plan of a buffer");
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        return task;
    }

    /** Returns the number of edges that places are chosen for. */
    public int size() {
        return size;
    }

    /**
     * Goes on, and waits a little for the thread, so that edges come more slowly than it works.
     *
     * @param later edges that have been buffered since the plan began, for the first call that needs them
     * @param millis to wait at most
     */
    public void advance(Supplier<EdgeBatch> later, long millis) {
        try {
            if (choosing == null) {
                read(sorting.get(millis, TimeUnit.MILLISECONDS), later.get());
            } else {
                choosing.get(millis, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException e) {
            // It is not ready; there will be another call.
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private FutureTask<JointBuffer> read(AdjacencyGraph graph, EdgeBatch later) {
        JointBuffer buffer = new JointBuffer(graph, later, rule, vertices, loads);
        FutureTask<JointBuffer> task = start(new FutureTask<>(() -> buffer.choose(false), buffer));
        choosing = task;
        return task;
    }

    /**
     * Waits for the end.
     *
     * @param later edges that have been buffered since the plan began, for the first call that needs them
     */
    public JointBuffer finish(Supplier<EdgeBatch> later) {
        try {
            FutureTask<JointBuffer> task = choosing;
            return (task == null ? read(sorting.get(), later.get()) : task).get();
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /** Waits until no thread works any more. */
    public void stop() {
        Future<?> task = choosing == null ? sorting : choosing;
        try {
            task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The plan is not needed.
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while places for a buffer of edges are chosen");
    }

    private static RuntimeException failure(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException exception ? exception : new IllegalStateException(cause);
    }
}
