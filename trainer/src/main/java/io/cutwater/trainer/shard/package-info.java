/** The shards of a graph in the form that training needs, in memory-mapped files. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.shard;

import org.jspecify.annotations.NullMarked;
