/** A source that reads a bounded input twice: once to place all of its edges in passes, and once to emit them. */
@NullMarked
package io.cutwater.flink.connector.bulk;

import org.jspecify.annotations.NullMarked;
