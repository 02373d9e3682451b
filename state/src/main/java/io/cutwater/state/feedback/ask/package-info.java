/** Asks the vertex tables for what the caches of the assigners lack. */
@NullMarked
package io.cutwater.state.feedback.ask;

import org.jspecify.annotations.NullMarked;
