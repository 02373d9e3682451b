/** Features, labels and splits of vertices: where they are read from, how they are scaled, and how they are stored. */
@NullMarked
package io.cutwater.trainer.feature;

import org.jspecify.annotations.NullMarked;
