/** Mini-batches of seed vertices and their sampled neighbours, as arrays of primitives. No DJL here. */
@NullMarked
package io.cutwater.trainer.sampler;

import org.jspecify.annotations.NullMarked;
