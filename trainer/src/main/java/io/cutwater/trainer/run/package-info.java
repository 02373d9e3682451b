/** Whole trainings and predictions, from files to files. */
@NullMarked
package io.cutwater.trainer.run;

import org.jspecify.annotations.NullMarked;
