/** Elements for the outputs of a job, and their serializers. */
@NullMarked
package io.cutwater.flink.types.shard;

import org.jspecify.annotations.NullMarked;
