/** Shards of a live job, read from its topics and kept in a local store. */
@NullMarked
package io.cutwater.trainer.live;

import org.jspecify.annotations.NullMarked;
