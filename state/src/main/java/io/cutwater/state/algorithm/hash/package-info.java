/** Places by hash: edges by both endpoints, vertices by their id. */
@NullMarked
package io.cutwater.state.algorithm.hash;

import org.jspecify.annotations.NullMarked;
