package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.Progress;
import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.trainer.averaging.RoundListener;
import io.cutwater.trainer.averaging.RoundReport;
import java.util.Locale;

/** Shows where a training stands. */
final class TrainingProgress implements RoundListener {
    private final Progress progress;
    private final Progress.Display display;
    private final int epochs;
    private long edges;

    TrainingProgress(Progress progress, Progress.Display display, int epochs) {
        this.progress = progress;
        this.display = display;
        this.epochs = epochs;
    }

    @Override
    public void roundDone(RoundReport report) {
        edges += report.work().edges();
        double waiting = report.work().nanos() == 0
                ? 0
                : 100.0 * report.work().waitedNanos() / report.work().nanos();
        progress.update(
                edges,
                (double) report.epochs() / epochs,
                String.format(
                        Locale.ROOT,
                        "epoch %d of %d, loss %.4f, validation %.4f, computing %.0f %%, waiting for samples %.0f %%",
                        report.epochs(),
                        epochs,
                        report.work().loss(),
                        report.tally().accuracy(VertexSplit.VAL),
                        100 - waiting,
                        waiting));
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        display.say("cutwater: round %d goes on without shard %d: %s".formatted(round, shard, sentence));
    }

    @Override
    public void workersChanged(String sentence) {
        display.say("cutwater: " + sentence);
    }
}
