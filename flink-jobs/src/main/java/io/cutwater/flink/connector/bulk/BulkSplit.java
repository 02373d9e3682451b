package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.InputPosition;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The whole input, and where emitting goes on.
 *
 * @param edges how many edges of the input come before that place, duplicates among them
 * @param input that place
 */
record BulkSplit(long edges, InputPosition input) implements SourceSplit {
    static final BulkSplit WHOLE = new BulkSplit(0, InputPosition.START);

    @Override
    public String splitId() {
        return "whole";
    }
}
