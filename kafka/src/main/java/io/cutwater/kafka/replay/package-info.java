/** Shards replayed from topic {@code shards}, as of an offset or a time, and checked. */
@NullMarked
package io.cutwater.kafka.replay;

import org.jspecify.annotations.NullMarked;
