/** Places of the edges of a graph in a file, read and rewritten in passes. */
@NullMarked
package io.cutwater.state.disk.places;

import org.jspecify.annotations.NullMarked;
