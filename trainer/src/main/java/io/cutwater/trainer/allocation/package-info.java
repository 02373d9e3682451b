/** Computes into how many shards a graph is partitioned for the available devices. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.allocation;

import org.jspecify.annotations.NullMarked;
