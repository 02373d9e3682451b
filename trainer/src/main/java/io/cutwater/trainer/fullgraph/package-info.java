/** Full-graph training: one step per epoch over all shards, whose workers exchange rows. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.fullgraph;

import org.jspecify.annotations.NullMarked;
