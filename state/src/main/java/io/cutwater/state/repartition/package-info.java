/** Another placement for edges that have one: what moves, within a budget, and what that gains. */
@NullMarked
package io.cutwater.state.repartition;

import org.jspecify.annotations.NullMarked;
