package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;

/** The number of passes over the input. */
@PublicApi
public enum PassMode {
    /** Once, for ever: an edge is placed by what is known when it comes. */
    LIVE,
    /** Several passes over a bounded input, as in the paper of the algorithm. */
    BULK
}
