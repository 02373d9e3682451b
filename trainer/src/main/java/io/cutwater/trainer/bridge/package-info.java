/** A native library that lets DJL use the PyTorch that is installed on a machine. */
@NullMarked
package io.cutwater.trainer.bridge;

import org.jspecify.annotations.NullMarked;
