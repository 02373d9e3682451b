/** Files that a training or prediction leaves behind: the model and the predictions. */
@NullMarked
package io.cutwater.trainer.output;

import org.jspecify.annotations.NullMarked;
