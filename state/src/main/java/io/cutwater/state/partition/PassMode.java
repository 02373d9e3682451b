package io.cutwater.state.partition;

/** How often the input is read. */
public enum PassMode {
    /** Once, for ever: an edge is placed by what is known when it comes. */
    LIVE,
    /** As often as the algorithm's paper does, over a bounded input. */
    BULK
}
