/** Parts of rules that read a whole graph in passes: counts of edges by partition, gains, and the polish. */
@NullMarked
package io.cutwater.state.passes;

import org.jspecify.annotations.NullMarked;
