package io.cutwater.state.disk;

import java.io.Closeable;
import java.io.IOException;

/** Records of a few numbers each, of which the first is what they are grouped by. */
interface Records extends Closeable {
    /**
     * Reads the next records, whole ones.
     *
     * @param into of a length that many records of any width fit in
     * @return how many numbers were read; 0 at the end
     */
    int read(int[] into) throws IOException;
}
