/** Reads topics to their end, and checks that a reader can continue where it stopped. */
@NullMarked
package io.cutwater.kafka.reader;

import org.jspecify.annotations.NullMarked;
