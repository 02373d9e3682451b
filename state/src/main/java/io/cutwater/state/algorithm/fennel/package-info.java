/** Fennel: neighbours minus a price of crowding. */
@NullMarked
package io.cutwater.state.algorithm.fennel;

import org.jspecify.annotations.NullMarked;
