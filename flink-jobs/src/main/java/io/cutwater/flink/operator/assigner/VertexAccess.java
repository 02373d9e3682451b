package io.cutwater.flink.operator.assigner;

import io.cutwater.state.feedback.Views;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.live.JobCommand;
import java.io.Serializable;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The access of an assigner to the records of vertices, and the state that goes with it. Local access finds them in
 * RocksDB behind a cache; remote access asks tables in other tasks for them and sends back what changed. One instance
 * belongs to one attempt of one task.
 *
 * @param <E> batches of edges as this access needs them
 */
public interface VertexAccess<E> {
    /** Number of the input that carries the edges. */
    int EDGES = 1;

    /** Creates the access of a task and restores its state. */
    @FunctionalInterface
    interface Factory<E> extends Serializable {
        VertexAccess<E> restore(AssignerOperator<E> task, StateInitializationContext context) throws Exception;
    }

    /** Registers metrics and starts timers. */
    void open(MetricGroup metrics);

    /** Accepts a batch of edges; calls {@link AssignerOperator#place} when the records of their vertices are here. */
    void accept(E edges);

    /** Accepts the answer of a vertex table. */
    void answer(Views views);

    /** Executes a command, or emits the reason for its refusal. */
    void command(JobCommand command);

    /** Begins a re-partitioning of the job's own if the graph has changed enough. */
    default void checkDrift() {}

    /** Returns whether it has everything that earlier attempts have left, so that edges may be placed. */
    default boolean hasStarted() {
        return true;
    }

    /** Returns the placement engine; a new one after a change of the number of partitions. */
    Placement placement();

    /** Returns the buffers for placed edges. */
    ShardBuffers shards();

    /** Takes down that buffered edges were placed although no batch came. */
    default void placedHeld() {}

    /** Emits the quality of the placed edges. */
    void report(long deadLetters, long progress, int pass);

    /** Emits the buffers and writes the cache to the state. */
    void beforeBarrier() throws Exception;

    /** Updates the operator's state. */
    void snapshot(long deadLetters, long progress) throws Exception;

    /**
     * Handles the end of an input.
     *
     * @return whether nothing more will be placed, and everything is emitted
     */
    boolean end(int input) throws Exception;

    /** Stops the threads of the access. */
    default void close() {}
}
