package io.cutwater.trainer.averaging;

import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.EpochReport;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import io.cutwater.trainer.training.Round;
import io.cutwater.trainer.training.ShardSize;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model on several shards: each round every shard with training vertices trains from the average of the
 * round before, and so do their optimisers. Between rounds the graph may grow, and the number of shards change. The
 * result depends on the number of workers in nothing, as long as none is late or fails. With one shard it is the
 * training of one model.
 */
public final class AveragedTraining implements AutoCloseable {
    private static final long LOOK_AGAIN_MILLIS = 500;

    private final String description;
    private final AveragingOptions options;
    private final Growth growth;
    private final Workforce workforce;
    private final @Nullable CheckpointFile file;
    private final RoundListener listener;

    private ModelState state;
    private @Nullable ShardCut cut;
    private int mergedAt;
    private @Nullable BestModel best;
    private int round;
    private int epochs;
    private long bytesAveraged;
    private boolean isPrepared;

    /** With threads of this process, {@code options.workers()} of them, which make the trainers and close them. */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            Growth growth,
            ShardTrainers trainers,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        this(description, options, growth, new Crew(trainers, options.workers()), weights, file, listener);
    }

    /**
     * Takes over the workforce, and closes it in the end.
     *
     * @param description all that the numbers depend on beside {@code options} and the cuts, in words: two trainings
     *     with the same one may go on from each other's checkpoints
     * @param weights to begin with
     * @param file of checkpoints, one after each round; null for none
     */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            Growth growth,
            Workforce workforce,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        // How many workers there are, and how far training is to go, may change from run to run.
        this.description = "%s, averaged every %d".formatted(description, options.averageEvery());
        this.options = options;
        this.growth = growth;
        state = ModelState.initial(weights);
        this.file = file;
        this.listener = listener;
        this.workforce = workforce;
    }

    /**
     * Goes back to the last checkpoint, if there is one, and to its cut.
     *
     * @return the round that it was made after, 0 if there is none
     * @throws IOException with a sentence, if it is of another training or damaged
     */
    public int resume() throws IOException {
        Checkpoint checkpoint = file == null ? null : file.read().orElse(null);
        if (checkpoint == null) {
            return 0;
        }
        if (!checkpoint.options().equals(description)) {
            throw new IOException(
                    "the checkpoint is of another training: it was made with '%s', and this is '%s'; give the same options, or another folder"
                            .formatted(checkpoint.options(), description));
        }
        state = checkpoint.state();
        cut = checkpoint.cut();
        mergedAt = checkpoint.mergedAt();
        best = checkpoint.best();
        round = checkpoint.round();
        epochs = checkpoint.epochs();
        bytesAveraged = checkpoint.bytesAveraged();
        if (best != null) {
            listener.modelFound(best.weights()); // a process that was killed may have kept the checkpoint only
        }
        return round;
    }

    /**
     * Trains to the end. One that follows its graph ends when its thread is interrupted, with what its last round left;
     * what the round in between did is lost.
     *
     * @throws IOException with a sentence, if a shard cannot be made, or there is nothing to train on
     * @throws IllegalStateException with a sentence, if no worker at all finished a round
     */
    public TrainingResult run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        int epochsBefore = epochs;
        try {
            train();
        } catch (InterruptedException e) {
            refuseToEnd(e);
        } catch (IOException | RuntimeException e) {
            if (!Thread.interrupted()) { // what is interrupted as it reads or writes says so in ways of its own
                throw e;
            }
            refuseToEnd(new InterruptedException(e.getMessage()));
        }
        BestModel found = best;
        if (found == null) {
            throw new IllegalStateException("nothing was trained");
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        return new TrainingResult(
                found.weights(),
                found.tally(),
                found.epoch(),
                epochs,
                round,
                seconds / Math.max(1, epochs - epochsBefore),
                bytesAveraged);
    }

    private void refuseToEnd(InterruptedException e) throws InterruptedException {
        if (!growth.merging().follows() || best == null) {
            throw e;
        }
    }

    private void train() throws IOException, InterruptedException {
        while (epochs < options.epochs() && !isOutOfPatience()) {
            if (!runRound(Math.min(options.averageEvery(), options.epochs() - epochs))) {
                awaitGrowth();
            }
        }
        while (growth.merging().follows()) {
            awaitGrowth();
            runRound(options.averageEvery());
        }
    }

    private boolean isOutOfPatience() {
        return options.patience() > 0 && best != null && epochs - best.epoch() >= options.patience();
    }

    /** The cut of the next round: the newest one, if it is time for that. */
    private ShardCut merge() throws IOException, InterruptedException {
        ShardCut now = cut;
        boolean isDue = growth.merging().every() > 0
                && epochs - mergedAt >= growth.merging().every();
        if (now == null || isDue) {
            mergedAt = epochs;
            now = moveTo(growth.cuts().latest());
        }
        if (!isPrepared) {
            workforce.prepare(now);
            isPrepared = true;
        }
        return now;
    }

    private ShardCut moveTo(ShardCut next) {
        if (!next.equals(cut)) {
            cut = next;
            isPrepared = false;
            best = null; // how well a model does on another graph says nothing about this one
        }
        return next;
    }

    /** Waits until there is a newer cut than that of the last round. */
    private void awaitGrowth() throws IOException, InterruptedException {
        ShardCut newest = growth.cuts().latest();
        if (newest.equals(cut)) {
            listener.waits();
        }
        while (newest.equals(cut)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            newest = growth.cuts().latest();
        }
        mergedAt = epochs;
        moveTo(newest);
    }

    /** Merges, trains and tests; false if there is nothing to train on yet. */
    private boolean runRound(int length) throws IOException, InterruptedException {
        long began = System.nanoTime();
        ShardCut at = merge();
        Round asked = new Round(round + 1, at, epochs, length);
        List<Integer> missing = new ArrayList<>();
        List<LocalUpdate> updates = trainAll(asked, missing);
        if (updates.isEmpty()) {
            return false;
        }
        round++;
        epochs += length;
        Tally tally = testAll(asked, missing);
        bytesAveraged += workforce.takeBytes();
        boolean isBetter = best == null || best.isBeatenBy(tally);
        if (isBetter) {
            best = new BestModel(epochs, state.weights(), tally);
        }
        if (file != null) {
            file.write(new Checkpoint(description, at, mergedAt, round, epochs, bytesAveraged, state, best));
        }
        if (isBetter) {
            listener.modelFound(state.weights());
        }
        report(began, asked, updates, tally, (int) missing.stream().distinct().count());
        return true;
    }

    private void report(long began, Round asked, List<LocalUpdate> updates, Tally tally, int missing) {
        EpochReport work = EpochReport.nothing();
        ShardSize size = ShardSize.NOTHING;
        for (LocalUpdate update : updates) {
            size = size.plus(update.size());
            if (update.examples() > 0) {
                work = work.plus(update.report());
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        listener.roundDone(
                new RoundReport(round, epochs, work, tally, missing, bytesAveraged, seconds, asked.cut(), size));
    }

    /** The updates of all shards that answered; none if no shard has a training vertex, and the graph may grow. */
    private List<LocalUpdate> trainAll(Round asked, List<Integer> missing) throws IOException, InterruptedException {
        List<LocalUpdate> updates = new ArrayList<>();
        ModelAverage average = new ModelAverage();
        for (LocalUpdate update : workforce.train(
                asked, state, options.roundWait(), (shard, sentence) -> miss(asked, shard, sentence, missing))) {
            if (update != null) {
                updates.add(update);
                if (update.examples() > 0) {
                    average.add(update);
                }
            }
        }
        if (!average.isEmpty()) {
            state = average.mean();
            return updates;
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "round %d: no worker with training vertices finished it within %d s; raise --round-wait, or see why they fail"
                            .formatted(asked.number(), options.roundWait().toSeconds()));
        }
        if (growth.merging().follows()) {
            return List.of();
        }
        throw new IOException(
                "there is no vertex with a class to train on; give labels and the split that belongs to them, here or to what made the shards");
    }

    private Tally testAll(Round asked, List<Integer> missing) throws InterruptedException {
        List<@Nullable Tally> tallies = workforce.test(
                asked,
                state.weights(),
                options.roundWait(),
                (shard, sentence) -> miss(asked, shard, sentence, missing));
        Tally all = new Tally();
        for (Tally tally : tallies) {
            if (tally != null) {
                all.add(tally);
            }
        }
        return all;
    }

    private void miss(Round asked, int shard, String sentence, List<Integer> missing) {
        missing.add(shard);
        listener.shardMissing(asked.number(), shard, sentence);
    }

    @Override
    public void close() {
        workforce.close();
    }
}
