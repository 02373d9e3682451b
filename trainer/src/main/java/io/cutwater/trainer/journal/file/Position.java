package io.cutwater.trainer.journal.file;

import java.util.Collections;
import java.util.List;

/**
 * A state of a {@link Journal}.
 *
 * @param offsets next offset to read of each topic partition
 * @param isCut whether the offsets were requested; other positions only record progress
 * @param files part of each file that belongs to the position
 */
public record Position(List<Long> offsets, boolean isCut, List<Extent> files) {
    public Position {
        offsets = List.copyOf(offsets);
        files = List.copyOf(files);
    }

    /** Returns the position of an empty journal. */
    public static Position start(int topicPartitions, int files) {
        return new Position(Collections.nCopies(topicPartitions, 0L), false, Collections.nCopies(files, Extent.EMPTY));
    }

    /** Returns whether reading on leads from here to the given offsets. */
    boolean isBefore(List<Long> there) {
        for (int i = 0; i < offsets.size(); i++) {
            if (offsets.get(i) > there.get(i)) {
                return false;
            }
        }
        return true;
    }
}
