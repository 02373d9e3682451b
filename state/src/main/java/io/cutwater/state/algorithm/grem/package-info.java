/** GREM: vertices are placed again whenever a chunk of edges shows them. */
@NullMarked
package io.cutwater.state.algorithm.grem;

import org.jspecify.annotations.NullMarked;
