/** Fields of structured records that other systems write: which hold an edge, and how they are read. */
@NullMarked
package io.cutwater.kafka.field;

import org.jspecify.annotations.NullMarked;
