/** Coordinator and workers as processes that exchange messages over topics. */
@NullMarked
package io.cutwater.trainer.distributed;

import org.jspecify.annotations.NullMarked;
