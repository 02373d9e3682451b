package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The planning of one re-partitioning, which goes on beside the stream. Its methods return at once. */
public interface PlanWork extends Closeable {
    /** Returns whether more edges are accepted now. */
    boolean takesMore();

    /** Hands over edges with their places; the batch belongs to the planning from then on. */
    void add(EdgeBatch edges);

    /**
     * Hands over owners of vertices, of which the batch has the masters; only to a part of a plan for a vertex
     * partitioning, whose edges have no places. The batch belongs to the planning from then on.
     */
    default void own(VertexBatch vertices) {
        throw new IllegalStateException("edges tell their owners; please report this as a defect");
    }

    /** There are no more edges: it is to plan. */
    void plan();

    /**
     * The plan, null as long as there is none.
     *
     * @throws IOException with a sentence, if there will be none
     */
    @Nullable RepartitionPlan result() throws IOException;

    /** The moves of the plan. */
    Moves moves() throws IOException;

    /** Ends it, and removes its files. */
    @Override
    void close();
}
