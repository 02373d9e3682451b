package io.cutwater.deploy.demo;

import io.cutwater.deploy.view.Progress;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import java.util.Locale;

/** Counts the rounds of a training; other threads may read it meanwhile. */
final class Rounds implements RoundListener {
    private final int epochs;
    private final Progress.Display display;
    private volatile Standing standing = new Standing(0, 0, "");

    /**
     * Progress of a training.
     *
     * @param edges of its mini-batches
     * @param seconds of its rounds, without waiting between them
     * @param note as text, empty before the first round
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
        display.say("training: round %d continues without shard %d: %s".formatted(round, shard, sentence));
    }

    Standing standing() {
        return standing;
    }
}
