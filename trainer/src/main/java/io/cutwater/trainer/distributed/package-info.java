/** Coordinator and workers as processes that talk on topics. */
@NullMarked
package io.cutwater.trainer.distributed;

import org.jspecify.annotations.NullMarked;
