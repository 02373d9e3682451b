/** Kafka topic that carries vertex updates from the assigners back to the vertex tables. */
@NullMarked
package io.cutwater.flink.connector.feedback;

import org.jspecify.annotations.NullMarked;
