package io.cutwater.state.repartition.live;

import io.cutwater.state.graph.EdgeBatch;
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
