/** SIGMA: clusters first, for edges (one pass, several passes, a whole graph) and for vertices. */
@NullMarked
package io.cutwater.state.algorithm.sigma;

import org.jspecify.annotations.NullMarked;
