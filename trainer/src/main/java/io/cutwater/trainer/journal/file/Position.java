package io.cutwater.trainer.journal.file;

import java.util.Collections;
import java.util.List;

/**
 * A moment of a {@link Journal}.
 *
 * @param offsets of each topic partition that it reads the first one that was not read
 * @param isCut whether it was asked for; others are only how far the reading has come
 * @param files of each file what belongs to it
 */
public record Position(List<Long> offsets, boolean isCut, List<Extent> files) {
    public Position {
        offsets = List.copyOf(offsets);
        files = List.copyOf(files);
    }

    /** Nothing was read. */
    public static Position start(int topicPartitions, int files) {
        return new Position(Collections.nCopies(topicPartitions, 0L), false, Collections.nCopies(files, Extent.EMPTY));
    }

    /** Whether some more reading leads from here to there. */
    boolean isBefore(List<Long> there) {
        for (int i = 0; i < offsets.size(); i++) {
            if (offsets.get(i) > there.get(i)) {
                return false;
            }
        }
        return true;
    }
}
