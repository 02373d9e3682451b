package io.cutwater.state.parts;

import java.io.IOException;

/**
 * Messages between the parts of a graph in rounds, as one part sees it. All parts take part in each round, and each
 * waits for the messages of all others, so the result does not depend on when messages arrive.
 */
public interface Exchange {
    /** Returns P, the number of parts. */
    int parts();

    /** Returns the number of this part, 0 to P − 1. */
    int part();

    /**
     * Sends a message to each part, also to this one, and waits for those of all parts.
     *
     * @param messages one for each part; not changed any more
     * @return the messages to this part by sender; not to be changed
     * @throws IOException if another part has failed, or the thread was interrupted
     */
    long[][] exchange(long[][] messages) throws IOException;
}
