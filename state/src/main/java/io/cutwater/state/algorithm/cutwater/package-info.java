/** Cutwater's own algorithms, for edges and for vertices, each live and in bulk. */
@NullMarked
package io.cutwater.state.algorithm.cutwater;

import org.jspecify.annotations.NullMarked;
