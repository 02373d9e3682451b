/** Vertex data and vertex updates as records, and the ingest of vertex data. */
@NullMarked
package io.cutwater.kafka.vertex;

import org.jspecify.annotations.NullMarked;
