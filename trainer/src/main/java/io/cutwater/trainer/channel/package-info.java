/** Frames of bytes between the shards of a group, which work at the same time in one process or in several. */
@NullMarked
package io.cutwater.trainer.channel;

import org.jspecify.annotations.NullMarked;
