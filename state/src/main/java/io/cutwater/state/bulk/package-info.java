/** Edge partitioning of a graph in memory: a first placement from a plan of clusters, and its polish. */
@NullMarked
package io.cutwater.state.bulk;

import org.jspecify.annotations.NullMarked;
