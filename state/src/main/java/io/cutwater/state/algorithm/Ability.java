package io.cutwater.state.algorithm;

import io.cutwater.state.PublicApi;
import io.cutwater.state.parts.GraphPart;

/** Something that an algorithm can do and that its rules do not show. */
@PublicApi
public enum Ability {
    /** It may place the history of a topic in bulk and then go on live. */
    BOOTSTRAP("can bootstrap"),
    /** Its bulk rule places parts of a graph at the same time, if it gets a {@link GraphPart}. */
    PARTS("bulk passes in parallel"),
    /** Its bulk rule spreads the vertices that are trained on. */
    TRAINING_SPREAD("spreads training vertices"),
    /** What it has placed live may move to better places later. */
    REFINEMENT("can be refined"),
    /** Its places do not depend on the rest of the input, so that a bulk run gives what a live one gives. */
    ORDER_FREE("independent of order");

    private final String label;

    Ability(String label) {
        this.label = label;
    }

    /** A few words for the reference page. */
    public String label() {
        return label;
    }
}
