/** A client of a Flink cluster of other processes: its address and credentials, and the submission of jobs. */
@NullMarked
package io.cutwater.flink.client;

import org.jspecify.annotations.NullMarked;
