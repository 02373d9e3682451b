/** Clusters of vertices, found while edges stream by: what the partitioners that know communities build on. */
@NullMarked
package io.cutwater.state.cluster;

import org.jspecify.annotations.NullMarked;
