/** Definitions of the job graph: from the input through the assigner to the outputs. */
@NullMarked
package io.cutwater.flink.job.topology;

import org.jspecify.annotations.NullMarked;
