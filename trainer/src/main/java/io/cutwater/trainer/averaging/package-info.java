/** Rounds of a training: workers train on their shards, and their models are averaged and sent back. */
@NullMarked
package io.cutwater.trainer.averaging;

import org.jspecify.annotations.NullMarked;
