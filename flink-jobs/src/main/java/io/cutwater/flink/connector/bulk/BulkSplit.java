package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.InputPosition;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The whole input, and the position at which emitting continues.
 *
 * @param edges number of edges of the input before that position, including duplicates
 * @param input the position
 */
record BulkSplit(long edges, InputPosition input) implements SourceSplit {
    static final BulkSplit WHOLE = new BulkSplit(0, InputPosition.START);

    @Override
    public String splitId() {
        return "whole";
    }
}
