package io.cutwater.flink.connector.file;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A file in one pass, and the position of the next read.
 *
 * @param number place of the file in the input
 * @param pass pass over the whole input, from 0
 * @param bytesBefore bytes of the files that come before it, over all passes
 */
record EdgeFileSplit(
        int number, int pass, String file, EdgeFileFormat format, EdgeFilePosition position, long bytesBefore)
        implements SourceSplit {
    @Override
    public String splitId() {
        return pass + "-" + number;
    }

    EdgeFileSplit at(EdgeFilePosition next) {
        return new EdgeFileSplit(number, pass, file, format, next, bytesBefore);
    }
}
