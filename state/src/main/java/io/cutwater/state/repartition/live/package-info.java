/**
 * Re-partitionings of a running job: commands, phases and status, in steps between which the stream continues, without
 * Flink and Kafka.
 */
@NullMarked
package io.cutwater.state.repartition.live;

import org.jspecify.annotations.NullMarked;
