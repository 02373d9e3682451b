/** A cluster of real processes on this machine: broker, JobManager and TaskManagers. */
@NullMarked
package io.cutwater.deploy.cluster;

import org.jspecify.annotations.NullMarked;
