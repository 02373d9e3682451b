/** Benchmarks of the plain loop and of the whole job, behind {@code deploy/bench/run}. */
@NullMarked
package io.cutwater.deploy.bench;

import org.jspecify.annotations.NullMarked;
