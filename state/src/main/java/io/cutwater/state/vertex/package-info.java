/**
 * The vertex partitioners: plain objects that choose one partition for a vertex from what is known of its neighbours.
 * Edges between partitions are cut, and both sides keep them.
 */
@NullMarked
package io.cutwater.state.vertex;

import org.jspecify.annotations.NullMarked;
