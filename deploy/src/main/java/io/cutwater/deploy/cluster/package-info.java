/** A cluster of real processes on this machine, and the live jobs on it or on any other Flink cluster. */
@NullMarked
package io.cutwater.deploy.cluster;

import org.jspecify.annotations.NullMarked;
