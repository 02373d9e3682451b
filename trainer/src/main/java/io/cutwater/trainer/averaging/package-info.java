/** Rounds: workers train on their shards, their models are averaged, and go on from there. */
@NullMarked
package io.cutwater.trainer.averaging;

import org.jspecify.annotations.NullMarked;
