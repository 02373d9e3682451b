/** A Flink cluster of other processes: what to ask of its REST endpoint, and what its processes are started with. */
@NullMarked
package io.cutwater.flink.cluster;

import org.jspecify.annotations.NullMarked;
