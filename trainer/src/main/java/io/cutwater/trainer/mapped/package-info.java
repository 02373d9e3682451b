/** Arrays in memory-mapped files, and the temporary folders that hold them. */
@NullMarked
package io.cutwater.trainer.mapped;

import org.jspecify.annotations.NullMarked;
