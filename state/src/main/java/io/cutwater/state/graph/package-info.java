/** Edges as columns of primitives: the unit of work everywhere. */
@NullMarked
package io.cutwater.state.graph;

import org.jspecify.annotations.NullMarked;
