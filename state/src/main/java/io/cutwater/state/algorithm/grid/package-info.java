/** Grid partitioning: the hashes of both endpoints constrain an edge to a row and a column. */
@NullMarked
package io.cutwater.state.algorithm.grid;

import org.jspecify.annotations.NullMarked;
