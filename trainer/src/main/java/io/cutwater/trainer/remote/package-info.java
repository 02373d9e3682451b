/** Mini-batches that sampler processes make: samplers hold the shards, and workers compute. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.remote;

import org.jspecify.annotations.NullMarked;
