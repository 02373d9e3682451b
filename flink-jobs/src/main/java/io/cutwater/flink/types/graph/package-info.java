/** Serializers of edges, vertices, vertex events and malformed records. */
@NullMarked
package io.cutwater.flink.types.graph;

import org.jspecify.annotations.NullMarked;
