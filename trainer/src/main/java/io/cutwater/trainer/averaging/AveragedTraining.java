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
        this.description = "%s, averaged every %s".formatted(description, options.averageEvery());
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
            if (!goOn(options.epochs() - epochs)) {
                awaitGrowth();
            }
        }
        while (growth.merging().follows()) {
            awaitGrowth();
            goOn(Integer.MAX_VALUE);
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

    /**
     * From one test to the next: merges, and does a round of whole epochs, or all rounds of an epoch.
     *
     * @return false if there is nothing to train on yet
     */
    private boolean goOn(int mostEpochs) throws IOException, InterruptedException {
        long began = System.nanoTime();
        ShardCut at = merge();
        boolean isOfBatches = options.averageEvery().isOfBatches();
        int length = isOfBatches ? 1 : Math.min(options.averageEvery().count(), mostEpochs);
        List<Integer> missing = new ArrayList<>();
        Trained trained =
                isOfBatches ? trainEpoch(at, missing) : trainAll(new Round(round + 1, at, epochs, length), missing);
        if (trained.isNothing()) {
            return false;
        }
        Round last = new Round(round, at, epochs, length);
        epochs += length;
        Tally tally = testAll(last, missing);
        bytesAveraged += workforce.takeBytes();
        keep(at, tally);
        double seconds = (System.nanoTime() - began) / 1e9;
        listener.roundDone(new RoundReport(
                round,
                epochs,
                trained.report(),
                tally,
                (int) missing.stream().distinct().count(),
                bytesAveraged,
                seconds,
                at,
                trained.size()));
        return true;
    }

    private void keep(ShardCut at, Tally tally) throws IOException {
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
    }

    /** Rounds of mini-batches; shards with fewer of them than others have no part in the last ones. */
    private Trained trainEpoch(ShardCut at, List<Integer> missing) throws IOException, InterruptedException {
        int batches = options.averageEvery().count();
        Trained all = trainAll(Round.ofBatches(round + 1, at, epochs, 0, batches), missing);
        for (int first = batches; first < all.longestEpoch(); first += batches) {
            all = all.plus(trainAll(Round.ofBatches(round + 1, at, epochs, first, batches), missing));
        }
        return all;
    }

    /**
     * What all shards did in a round.
     *
     * @param longestEpoch most mini-batches that a shard has in an epoch; 0 if none has anything to train on
     * @param size of the shards that answered
     */
    private record Trained(EpochReport report, int longestEpoch, ShardSize size) {
        static final Trained NOTHING = new Trained(EpochReport.nothing(), 0, ShardSize.NOTHING);

        boolean isNothing() {
            return longestEpoch == 0;
        }

        /** With a later round of the same epoch. */
        Trained plus(Trained later) {
            return new Trained(report.plus(later.report), Math.max(longestEpoch, later.longestEpoch), size);
        }

        Trained plus(LocalUpdate update) {
            return new Trained(
                    report.plus(update.report()),
                    Math.max(longestEpoch, update.examples() > 0 ? update.epochBatches() : 0),
                    size.plus(update.size()));
        }
    }

    private Trained trainAll(Round asked, List<Integer> missing) throws IOException, InterruptedException {
        List<@Nullable LocalUpdate> updates = workforce.train(
                asked, state, options.roundWait(), (shard, sentence) -> miss(asked, shard, sentence, missing));
        ModelAverage average = new ModelAverage();
        Trained all = Trained.NOTHING;
        boolean isAnswered = false;
        for (LocalUpdate update : updates) {
            if (update != null) {
                isAnswered = true;
                all = all.plus(update);
                if (update.examples() > 0) {
                    average.add(update);
                }
            }
        }
        if (!average.isEmpty()) {
            state = average.mean();
            round = asked.number();
        } else if (asked.firstBatch() > 0 && isAnswered) {
            round = asked.number(); // the only ones that had mini-batches left are missing
        } else {
            refuseWithoutTraining(asked, missing);
        }
        return all;
    }

    private void refuseWithoutTraining(Round asked, List<Integer> missing) throws IOException {
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "round %d: no worker with training vertices finished it within %d s; raise --round-wait, or see why they fail"
                            .formatted(asked.number(), options.roundWait().toSeconds()));
        }
        if (!growth.merging().follows()) {
            throw new IOException(
                    "there is no vertex with a class to train on; give labels and the split that belongs to them, here or to what made the shards");
        }
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
