package io.cutwater.flink.connector.transaction.fate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Offsets in the topic partitions of a topic, added in ascending order within each; adjacent offsets share a range. */
final class OffsetRanges {
    /** First and last offset of each range in ascending order, by topic partition. */
    private long[][] ranges = {};

    private int[] lengths = {};
    private long count;

    void add(int topicPartition, long offset) {
        addRange(topicPartition, offset, offset);
    }

    private void addRange(int topicPartition, long first, long last) {
        if (topicPartition >= ranges.length) {
            int before = ranges.length;
            ranges = Arrays.copyOf(ranges, topicPartition + 1);
            lengths = Arrays.copyOf(lengths, topicPartition + 1);
            Arrays.fill(ranges, before, ranges.length, new long[0]);
        }
        count += last - first + 1;
        int length = lengths[topicPartition];
        long[] bounds = ranges[topicPartition];
        if (length > 0 && bounds[length - 1] + 1 == first) {
            bounds[length - 1] = last;
            return;
        }
        if (length == bounds.length) {
            bounds = Arrays.copyOf(bounds, Math.max(2, 2 * length));
            ranges[topicPartition] = bounds;
        }
        bounds[length] = first;
        bounds[length + 1] = last;
        lengths[topicPartition] = length + 2;
    }

    /** Returns the number of offsets. */
    long count() {
        return count;
    }

    boolean contains(int topicPartition, long offset) {
        if (topicPartition >= ranges.length) {
            return false;
        }
        int found = Arrays.binarySearch(ranges[topicPartition], 0, lengths[topicPartition], offset);
        // An offset inside a range sorts after the range's first one, which is at an even index.
        return found >= 0 || (-found - 1) % 2 == 1;
    }

    /** Returns the first offset of each topic partition that has any. */
    Map<Integer, Long> begins() {
        Map<Integer, Long> begins = new TreeMap<>();
        for (int p = 0; p < ranges.length; p++) {
            if (lengths[p] > 0) {
                begins.put(p, ranges[p][0]);
            }
        }
        return begins;
    }

    /** Returns the offset after the last one of each topic partition that has any. */
    Map<Integer, Long> ends() {
        Map<Integer, Long> ends = new TreeMap<>();
        for (int p = 0; p < ranges.length; p++) {
            if (lengths[p] > 0) {
                ends.put(p, ranges[p][lengths[p] - 1] + 1);
            }
        }
        return ends;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(ranges.length);
        for (int p = 0; p < ranges.length; p++) {
            out.writeInt(lengths[p]);
            for (int i = 0; i < lengths[p]; i++) {
                out.writeLong(ranges[p][i]);
            }
        }
    }

    static OffsetRanges read(DataInput in) throws IOException {
        OffsetRanges offsets = new OffsetRanges();
        int topicPartitions = in.readInt();
        for (int p = 0; p < topicPartitions; p++) {
            int length = in.readInt();
            for (int i = 0; i < length; i += 2) {
                long first = in.readLong();
                offsets.addRange(p, first, in.readLong());
            }
        }
        return offsets;
    }
}
