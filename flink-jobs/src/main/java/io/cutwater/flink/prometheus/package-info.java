/** The metrics of a Flink process for Prometheus. */
@NullMarked
package io.cutwater.flink.prometheus;

import org.jspecify.annotations.NullMarked;
