/** Re-partitionings of a running job in the task of its assigner. */
@NullMarked
package io.cutwater.flink.operator.repartition;

import org.jspecify.annotations.NullMarked;
