/**
 * Vertex table and partition loads: primitive columns, a bounded cache in front of a store, and the versioned bytes of
 * a vertex.
 */
@NullMarked
package io.cutwater.state.table;

import org.jspecify.annotations.NullMarked;
