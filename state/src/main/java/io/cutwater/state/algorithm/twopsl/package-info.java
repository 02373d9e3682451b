/** 2PS-L: two-phase edge partitioning in linear time. */
@NullMarked
package io.cutwater.state.algorithm.twopsl;

import org.jspecify.annotations.NullMarked;
