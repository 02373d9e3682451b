/**
 * Exact sets of edges: deduplication, and the placed edges that a job keeps so that it can remove and move them; and
 * the buffer of edges that are not placed yet.
 */
@NullMarked
package io.cutwater.state.edges;

import org.jspecify.annotations.NullMarked;
