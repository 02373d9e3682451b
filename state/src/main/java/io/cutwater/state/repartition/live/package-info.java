/**
 * Re-partitionings of a running job: commands, phases and status, in steps between which the stream goes on. Knows
 * neither Flink nor Kafka.
 */
@NullMarked
package io.cutwater.state.repartition.live;

import org.jspecify.annotations.NullMarked;
