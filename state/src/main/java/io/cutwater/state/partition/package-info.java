/**
 * The partitioners: plain objects that choose a place for an edge from what is known of its two ends. No clock, no
 * logger, no randomness without a seed, no engine.
 */
@NullMarked
package io.cutwater.state.partition;

import org.jspecify.annotations.NullMarked;
