/** Files on local disk: scratch folders with their locks, and durable replacement of a file. */
@NullMarked
package io.cutwater.state.scratch;

import org.jspecify.annotations.NullMarked;
