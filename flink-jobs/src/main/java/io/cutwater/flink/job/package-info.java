/** The jobs: one class, one job, one readable method that defines its topology. */
@NullMarked
package io.cutwater.flink.job;

import org.jspecify.annotations.NullMarked;
