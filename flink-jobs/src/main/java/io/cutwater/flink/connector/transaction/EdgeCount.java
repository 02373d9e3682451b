package io.cutwater.flink.connector.transaction;

import java.io.Serializable;

/**
 * Counts the edges that an element of a sink adds to the graph.
 *
 * @param <T> of the elements
 */
@FunctionalInterface
public interface EdgeCount<T> extends Serializable {
    long of(T element);
}
