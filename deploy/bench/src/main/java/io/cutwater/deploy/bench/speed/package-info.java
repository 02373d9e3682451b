/** The speed of training: epochs on a device, beside programs with PyTorch and PyTorch Geometric. */
@NullMarked
package io.cutwater.deploy.bench.speed;

import org.jspecify.annotations.NullMarked;
