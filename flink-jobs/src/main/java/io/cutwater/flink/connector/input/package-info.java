/** Bounded inputs, files or topics, that are read in order. */
@NullMarked
package io.cutwater.flink.connector.input;

import org.jspecify.annotations.NullMarked;
