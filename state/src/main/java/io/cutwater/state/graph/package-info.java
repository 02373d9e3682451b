/** Edges as columns of primitives, the unit of work everywhere; and a whole graph in memory, as lists of neighbours. */
@NullMarked
package io.cutwater.state.graph;

import org.jspecify.annotations.NullMarked;
