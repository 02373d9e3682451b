/** State of assigners besides keyed state: totals, algorithm, lineages and re-partitionings, as versioned bytes. */
@NullMarked
package io.cutwater.flink.checkpoint.assigner;

import org.jspecify.annotations.NullMarked;
