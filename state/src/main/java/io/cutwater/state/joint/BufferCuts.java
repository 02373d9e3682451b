package io.cutwater.state.joint;

import java.util.ArrayDeque;
import java.util.function.LongToIntFunction;

/**
 * Where checkpoints cut a buffer: edges that have been buffered at a number of checkpoints are placed before the next
 * edge is taken. A position is the number of edges that were ever buffered before.
 */
public final class BufferCuts {
    private final ArrayDeque<Long> marks = new ArrayDeque<>(); // at the last checkpoints
    private long cut; // 0 for none

    /**
     * Cuts off the edges that have been buffered at so many checkpoints, this one included.
     *
     * @param added edges that were ever buffered
     */
    public void cut(int checkpoints, long added) {
        marks.add(added);
        while (marks.size() >= checkpoints) {
            cut = marks.remove();
        }
    }

    /** Takes the cut: returns where it is, and then there is none; 0 if there is none. */
    public long take() {
        long taken = cut;
        cut = 0;
        return taken;
    }

    /**
     * Returns what a checkpoint has to hold.
     *
     * @param planned edges that a plan is being made for; 0 for none
     * @param countBefore the number of buffered edges before a position
     */
    public JointCut now(int planned, LongToIntFunction countBefore) {
        return new JointCut(
                planned,
                countBefore.applyAsInt(cut),
                marks.stream().map(countBefore::applyAsInt).toList());
    }

    /** Takes back what a checkpoint held, before the edges of its snapshot are buffered as the first ones. */
    public void restore(JointCut then) {
        cut = then.due();
        then.marks().forEach(mark -> marks.add((long) mark));
    }
}
