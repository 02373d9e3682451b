/** Flink source that reads a bounded topic in several ordered passes. */
@NullMarked
package io.cutwater.flink.connector.pass;

import org.jspecify.annotations.NullMarked;
