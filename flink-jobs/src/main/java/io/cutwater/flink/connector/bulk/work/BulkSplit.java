package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.InputPosition;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The whole input, and the position at which emitting continues.
 *
 * @param edges number of edges of the input before that position, including duplicates
 * @param input the position
 */
public record BulkSplit(long edges, InputPosition input) implements SourceSplit {
    public static final BulkSplit WHOLE = new BulkSplit(0, InputPosition.START);

    @Override
    public String splitId() {
        return "whole";
    }
}
