/** Reports and checkpoints of a training. */
@NullMarked
package io.cutwater.trainer.progress;

import org.jspecify.annotations.NullMarked;
