/**
 * Clustering: which vertices belong together, found from a stream in a few passes; and the simplest plan of clusters on
 * partitions, which knows their sizes only.
 */
@NullMarked
package io.cutwater.state.cluster;

import org.jspecify.annotations.NullMarked;
