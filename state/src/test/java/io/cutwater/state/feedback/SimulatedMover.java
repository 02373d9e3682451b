package io.cutwater.state.feedback;

/** What moves the edges of a simulated assigner. */
interface SimulatedMover {
    void step();

    /** Nothing moves any more. */
    void stop();

    void replied(Views reply);

    default void snapshot(SimulatedCheckpoint into) {}
}
