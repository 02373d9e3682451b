/** Mini-batches of seed vertices and their sampled neighbours, as arrays of primitives. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.sampler;

import org.jspecify.annotations.NullMarked;
