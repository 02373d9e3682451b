/** Partitioning of a whole input in several passes: edges or vertices, over a graph on disk or in memory. */
@NullMarked
package io.cutwater.state.bulk;

import org.jspecify.annotations.NullMarked;
