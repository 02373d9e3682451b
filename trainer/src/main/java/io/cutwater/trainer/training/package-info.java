/** The work of one worker: steps over one shard, and the evaluation of a model on it. */
@NullMarked
package io.cutwater.trainer.training;

import org.jspecify.annotations.NullMarked;
