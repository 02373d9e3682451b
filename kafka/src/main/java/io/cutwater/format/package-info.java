/** Reads and writes graph files without Kafka; here are the types that the readers of all formats share. */
@NullMarked
package io.cutwater.format;

import org.jspecify.annotations.NullMarked;
