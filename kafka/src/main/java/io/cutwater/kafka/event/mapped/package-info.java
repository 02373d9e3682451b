/** Edges in records of other systems, whose fields the user maps. */
@NullMarked
package io.cutwater.kafka.event.mapped;

import org.jspecify.annotations.NullMarked;
