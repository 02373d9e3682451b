package io.cutwater.format.binary;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The merged runs of an {@link ExternalSort}.
 *
 * <p>Implementation. A binary heap with the smallest row on top. The top run advances in place and sinks, which takes
 * half the comparisons of taking it out of a queue and putting it in again.
 */
public final class SortedRows {
    private final SortedRun[] heap;
    private int size;
    private boolean isStarted;

    SortedRows(List<SortedRun> runs) throws IOException {
        heap = new SortedRun[runs.size()];
        for (SortedRun run : runs) {
            if (run.next()) {
                heap[size++] = run;
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            sink(i);
        }
    }

    /** Advances to the next row; returns false at the end. */
    public boolean next() throws IOException {
        if (!isStarted) {
            isStarted = true;
        } else if (size > 0) {
            if (!heap[0].next()) {
                heap[0] = heap[--size];
            }
            sink(0);
        }
        return size > 0;
    }

    private void sink(int from) {
        SortedRun run = heap[from];
        int hole = from;
        for (int child; (child = 2 * hole + 1) < size; hole = child) {
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(run)) {
                break;
            }
            heap[hole] = heap[child];
        }
        heap[hole] = run;
    }

    /** Returns the first number of the pair, or the key of the row. */
    public long first() {
        return heap[0].first();
    }

    /** Returns the second number of the pair; 0 for a row. */
    public long second() {
        return heap[0].second();
    }

    /** Returns the buffer that holds the row; see {@link #at}. */
    public ByteBuffer rows() {
        return heap[0].rows();
    }

    /** Returns the position of the row in {@link #rows()}. */
    public int at() {
        return heap[0].at();
    }
}
