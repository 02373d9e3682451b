/** What topic {@code shards} holds: replayed from its records, read as of an offset or a time, and checked. */
@NullMarked
package io.cutwater.kafka.shard;

import org.jspecify.annotations.NullMarked;
