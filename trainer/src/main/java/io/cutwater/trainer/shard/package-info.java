/**
 * What a worker holds of the graph: neighbours, features, labels and masks of one shard, in mapped files. No DJL here.
 */
@NullMarked
package io.cutwater.trainer.shard;

import org.jspecify.annotations.NullMarked;
