package io.cutwater.flink.connector.input;

import io.cutwater.format.EdgeFilePosition;

/**
 * Position of the next read of an input.
 *
 * @param part number of the file, or of the topic partition in ascending order of those that are read, from 0
 * @param within the position in that file; for a topic partition only its offset counts, and where edges have keys its
 *     row, the number of rows of the input before
 */
public record InputPosition(int part, EdgeFilePosition within) {
    public static final InputPosition START = new InputPosition(0, EdgeFilePosition.START);
}
