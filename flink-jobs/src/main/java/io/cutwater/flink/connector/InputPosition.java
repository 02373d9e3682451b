package io.cutwater.flink.connector;

import io.cutwater.format.EdgeFilePosition;

/**
 * Where the next read of an input begins.
 *
 * @param part number of the file, or of the topic partition in ascending order of those that are read, from 0
 * @param within the place in that file; of a topic partition its offset alone counts
 */
public record InputPosition(int part, EdgeFilePosition within) {
    public static final InputPosition START = new InputPosition(0, EdgeFilePosition.START);
}
