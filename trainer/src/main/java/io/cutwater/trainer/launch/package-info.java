/** Entry points of trainings and predictions, from files to files. */
@NullMarked
package io.cutwater.trainer.launch;

import org.jspecify.annotations.NullMarked;
