/** Clustering: which vertices belong together, found from a stream in a few passes. */
@NullMarked
package io.cutwater.state.cluster;

import org.jspecify.annotations.NullMarked;
