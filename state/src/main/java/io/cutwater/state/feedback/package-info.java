/**
 * The protocol between the three parts of the distributed topology, without Flink and Kafka: the operator that requests
 * the views of a batch's vertices, the table that answers and applies updates, and the assigner that places the batch
 * and sends the updates back to the table.
 */
@NullMarked
package io.cutwater.state.feedback;

import org.jspecify.annotations.NullMarked;
