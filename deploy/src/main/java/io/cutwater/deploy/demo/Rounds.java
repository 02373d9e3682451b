package io.cutwater.deploy.demo;

import io.cutwater.deploy.local.Progress;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import java.util.Locale;

/** Counts the rounds of a training; others may look at it meanwhile. */
final class Rounds implements RoundListener {
    private final int epochs;
    private final Progress.Display display;
    private volatile Standing standing = new Standing(0, 0, "");

    /**
     * How far a training is.
     *
     * @param edges that its mini-batches had
     * @param seconds that its rounds took, without what was waited between them
     * @param note in words, empty before the first round
     */
    record Standing(long edges, double seconds, String note) {}

    Rounds(int epochs, Progress.Display display) {
        this.epochs = epochs;
        this.display = display;
    }

    @Override
    public void roundDone(RoundReport report) {
        Standing before = standing;
        standing = new Standing(
                before.edges() + report.work().edges(),
                before.seconds() + report.seconds(),
                String.format(
                        Locale.ROOT,
                        "epoch %d of %d, loss %.3f, validation %.3f",
                        report.epochs(),
                        epochs,
                        report.work().loss(),
                        report.counts().accuracy(VertexSplit.VAL)));
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        display.say("training: round %d goes on without shard %d: %s".formatted(round, shard, sentence));
    }

    Standing standing() {
        return standing;
    }
}
