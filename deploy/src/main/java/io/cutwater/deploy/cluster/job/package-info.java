/** Live jobs on the local cluster or on any other Flink cluster: submission, state, end, resumption. */
@NullMarked
package io.cutwater.deploy.cluster.job;

import org.jspecify.annotations.NullMarked;
