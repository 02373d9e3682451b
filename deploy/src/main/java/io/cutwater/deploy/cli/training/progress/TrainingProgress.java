package io.cutwater.deploy.cli.training.progress;

import io.cutwater.deploy.view.Progress;
import io.cutwater.format.VertexSplit;
import io.cutwater.state.text.Counted;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.shard.ShardCut;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a training. */
public final class TrainingProgress implements RoundListener {
    private final Progress progress;
    private final Progress.Display display;
    private final int epochs;
    private long edges;
    private @Nullable ShardCut cut;

    /** @param epochs number of epochs of the training, at least 1 */
    public TrainingProgress(Progress progress, Progress.Display display, int epochs) {
        this.progress = progress;
        this.display = display;
        this.epochs = epochs;
    }

    @Override
    public void roundDone(RoundReport report) {
        edges += report.work().edges();
        tellMerge(report);
        double waiting = 100 * report.work().waitingShare();
        boolean follows = report.epochs() > epochs; // the share of the work that is done is not known
        progress.update(
                edges,
                follows ? Double.NaN : (double) report.epochs() / epochs,
                String.format(
                        Locale.ROOT,
                        "epoch %d%s, loss %.4f, validation %.4f, computing %.0f %%, waiting for samples %.0f %%",
                        report.epochs(),
                        follows ? "" : " of " + epochs,
                        report.work().loss(),
                        report.counts().accuracy(VertexSplit.VAL),
                        100 - waiting,
                        waiting));
    }

    private void tellMerge(RoundReport report) {
        if (cut != null && !cut.equals(report.cut())) {
            display.say("cutwater: round %d merged new data: %s, %s, %s"
                    .formatted(
                            report.round(),
                            Counted.of(report.cut().shards(), "shard"),
                            Counted.of(report.size().vertices(), "vertex"),
                            Counted.of(report.size().edges(), "edge")));
        }
        cut = report.cut();
    }

    @Override
    public void waits() {
        display.say("cutwater: all data are trained on; waiting for more");
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        display.say("cutwater: round %d continues without shard %d: %s".formatted(round, shard, sentence));
    }

    @Override
    public void workersChanged(String sentence) {
        display.say("cutwater: " + sentence);
    }
}
