/** Outputs of a job: topics, and the staging area of the output folder. */
@NullMarked
package io.cutwater.flink.connector.output;

import org.jspecify.annotations.NullMarked;
