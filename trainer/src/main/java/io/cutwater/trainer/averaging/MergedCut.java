package io.cutwater.trainer.averaging;

import io.cutwater.trainer.progress.Checkpoint;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The current cut of a training, and the decision when to move to a newer one. */
final class MergedCut {
    private static final long LOOK_AGAIN_MILLIS = 500;

    private final CutSource cuts;
    private final int everyEpochs;
    private final Workforce workforce;
    private final RoundListener listener;

    private @Nullable ShardCut cut;
    private int mergedAt;
    private boolean isPrepared;

    MergedCut(CutSource cuts, int everyEpochs, Workforce workforce, RoundListener listener) {
        this.cuts = cuts;
        this.everyEpochs = everyEpochs;
        this.workforce = workforce;
        this.listener = listener;
    }

    /** Restores the cut of a checkpoint. */
    void resume(Checkpoint checkpoint) {
        cut = checkpoint.cut();
        mergedAt = checkpoint.mergedAt();
    }

    /** Returns the number of epochs that were done at the last look for a newer cut. */
    int mergedAt() {
        return mergedAt;
    }

    /**
     * Returns the cut of the next round and prepares the workforce for it; looks for a newer cut if one is due.
     *
     * @param epochs number of epochs done so far
     */
    ShardCut next(int epochs) throws IOException, InterruptedException {
        ShardCut now = cut;
        if (now == null || (everyEpochs > 0 && epochs - mergedAt >= everyEpochs)) {
            now = cuts.latest();
            moveTo(now, epochs);
        }
        if (!isPrepared) {
            workforce.prepare(now);
            isPrepared = true;
        }
        return now;
    }

    /**
     * Waits until a cut newer than that of the last round exists.
     *
     * @param epochs number of epochs done so far
     */
    void awaitNewer(int epochs) throws IOException, InterruptedException {
        ShardCut newest = cuts.latest();
        if (newest.equals(cut)) {
            listener.waits();
        }
        while (newest.equals(cut)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            newest = cuts.latest();
        }
        moveTo(newest, epochs);
    }

    private void moveTo(ShardCut next, int epochs) {
        mergedAt = epochs;
        isPrepared &= next.equals(cut);
        cut = next;
    }
}
