/** Coordinator and workers as processes that talk on topics. */
@NullMarked
package io.cutwater.trainer.remote;

import org.jspecify.annotations.NullMarked;
