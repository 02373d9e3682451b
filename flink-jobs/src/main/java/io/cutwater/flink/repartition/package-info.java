/** Another placement for the edges of a job while it runs: from the command to the last move. */
@NullMarked
package io.cutwater.flink.repartition;

import org.jspecify.annotations.NullMarked;
