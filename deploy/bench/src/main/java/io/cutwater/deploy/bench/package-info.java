/**
 * The benchmark behind {@code deploy/bench/run}: the plain loop and the whole job on the same edges, in one process.
 */
@NullMarked
package io.cutwater.deploy.bench;

import org.jspecify.annotations.NullMarked;
