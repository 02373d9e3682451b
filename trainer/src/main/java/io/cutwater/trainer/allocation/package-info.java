/** How many shards a graph is cut into for the devices that are there. No DJL. */
@NullMarked
package io.cutwater.trainer.allocation;

import org.jspecify.annotations.NullMarked;
