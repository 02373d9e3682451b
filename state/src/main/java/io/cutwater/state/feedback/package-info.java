/**
 * The protocol between the three parts of the distributed topology, without Flink and Kafka: who asks for the views of
 * a batch's vertices, the table that answers and applies updates, and the assigner that places the batch and sends the
 * updates round the loop.
 */
@NullMarked
package io.cutwater.state.feedback;

import org.jspecify.annotations.NullMarked;
