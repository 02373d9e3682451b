/**
 * Synchronous mini-batches over the whole graph: shards share neighbours and features, and take steps together. Imports
 * no DJL.
 */
@NullMarked
package io.cutwater.trainer.sync;

import org.jspecify.annotations.NullMarked;
