package io.cutwater.state.placement;

/** A buffer whose edges are placed together, by a plan that is made while the stream goes on. */
interface PlannedBuffer {
    /** The share of a buffer that comes while a plan is made for a full one. */
    int AHEAD = 8;

    /** Edges after which the stream waits a little for the plan, so that no edge, and no barrier, waits for long. */
    int PACE_EDGES = 1024;

    long PACE_MILLIS = 100;

    /** Returns whether a plan is being made, so that what it reads must not change. */
    boolean isPlanning();

    /** Places edges by the plan that is being made, if there is one, so that the tables may change. */
    void finishPlan(PlacedEdges into);

    /** Drops the plan that is being made; its edges will be planned again. */
    void dropPlan();

    /** Cuts off the edges that have been buffered at so many checkpoints, this one included. */
    void cut(int checkpoints);

    /** Places the edges before the cut, if there is one. */
    void placeCut(PlacedEdges into);
}
