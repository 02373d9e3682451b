/** Access to the PyTorch library: loading, devices, and copying arrays to them. */
@NullMarked
package io.cutwater.trainer.torch;

import org.jspecify.annotations.NullMarked;
