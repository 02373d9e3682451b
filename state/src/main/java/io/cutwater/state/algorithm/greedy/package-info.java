/** The greedy rule of PowerGraph. */
@NullMarked
package io.cutwater.state.algorithm.greedy;

import org.jspecify.annotations.NullMarked;
