/** The part of the engine that gives owners to the vertices of a stream of edges. */
@NullMarked
package io.cutwater.state.placement.vertex;

import org.jspecify.annotations.NullMarked;
