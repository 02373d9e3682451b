/** The engine that places the edges of a stream with a rule, and removes and moves what it has placed. */
@NullMarked
package io.cutwater.state.placement;

import org.jspecify.annotations.NullMarked;
