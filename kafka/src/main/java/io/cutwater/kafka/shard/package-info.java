/** Records of topic {@code shards}, and their reader. */
@NullMarked
package io.cutwater.kafka.shard;

import org.jspecify.annotations.NullMarked;
