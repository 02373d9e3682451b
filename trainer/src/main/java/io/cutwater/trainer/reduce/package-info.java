/** All-reduce: the weighted mean of the gradients of several shards at each step, bit-equal on all of them. */
@NullMarked
package io.cutwater.trainer.reduce;

import org.jspecify.annotations.NullMarked;
