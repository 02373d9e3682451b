/** The progress of an ingest, committed with the records that it counts. */
@NullMarked
package io.cutwater.kafka.progress;

import org.jspecify.annotations.NullMarked;
