/** SPRING: clusters of the edge stream that are merged while they are small. */
@NullMarked
package io.cutwater.state.algorithm.spring;

import org.jspecify.annotations.NullMarked;
