/** The values that a coordinator and its workers exchange in a round: models, optimiser states, results. */
@NullMarked
package io.cutwater.trainer.round;

import org.jspecify.annotations.NullMarked;
