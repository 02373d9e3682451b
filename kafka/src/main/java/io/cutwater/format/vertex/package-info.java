/** Features, labels and splits of vertices: records, and the arrays of an output folder. */
@NullMarked
package io.cutwater.format.vertex;

import org.jspecify.annotations.NullMarked;
