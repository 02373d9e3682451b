/** Seeded synthetic graphs of any length, for demonstrations, benchmarks and tests. */
@NullMarked
package io.cutwater.state.graph.synthetic;

import org.jspecify.annotations.NullMarked;
