package io.cutwater.flink.connector.pass;

import io.cutwater.flink.connector.input.InputPosition;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * All passes over a topic, and the position of the next read.
 *
 * @param pass the current pass, from 0
 * @param next the position in it
 */
record TopicPassSplit(int pass, InputPosition next) implements SourceSplit {
    static final TopicPassSplit START = new TopicPassSplit(0, InputPosition.START);

    @Override
    public String splitId() {
        return "all passes";
    }
}
