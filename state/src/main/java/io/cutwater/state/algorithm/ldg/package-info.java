/** Linear deterministic greedy. */
@NullMarked
package io.cutwater.state.algorithm.ldg;

import org.jspecify.annotations.NullMarked;
