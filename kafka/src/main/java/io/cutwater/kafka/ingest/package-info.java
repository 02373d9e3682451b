/** Writes edges, from files or elsewhere, to a topic. */
@NullMarked
package io.cutwater.kafka.ingest;

import org.jspecify.annotations.NullMarked;
