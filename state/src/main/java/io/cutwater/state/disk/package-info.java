/** A graph on local disk that is too large for memory: written once, read in passes. */
@NullMarked
package io.cutwater.state.disk;

import org.jspecify.annotations.NullMarked;
