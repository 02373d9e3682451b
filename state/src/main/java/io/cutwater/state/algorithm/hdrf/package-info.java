/** High-degree replicated first. */
@NullMarked
package io.cutwater.state.algorithm.hdrf;

import org.jspecify.annotations.NullMarked;
