/**
 * The shards of a cut as one graph: each knows the owners of its vertices, and asks them for neighbours and rows.
 * Imports no DJL.
 */
@NullMarked
package io.cutwater.trainer.linked;

import org.jspecify.annotations.NullMarked;
