/** Re-partitionings of a job whose vertices and edges are in tables in other tasks. */
@NullMarked
package io.cutwater.state.feedback.move;

import org.jspecify.annotations.NullMarked;
