/**
 * Direct connections between the workers of a training. A frame is little-endian: its length without this field (4
 * bytes), the kind (1), and the fields of {@link io.cutwater.trainer.mesh.Frame}.
 */
@NullMarked
package io.cutwater.trainer.mesh;

import org.jspecify.annotations.NullMarked;
