/** Rows and sums that the workers of a full-graph training exchange directly, as frames of bytes. Imports no DJL. */
@NullMarked
package io.cutwater.trainer.exchange;

import org.jspecify.annotations.NullMarked;
