/** Benchmarks of distributed training: test accuracy, and the cost of averaging. */
@NullMarked
package io.cutwater.deploy.bench.training;

import org.jspecify.annotations.NullMarked;
