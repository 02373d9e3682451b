package io.cutwater.trainer.averaging;

import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.EpochReport;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import io.cutwater.trainer.training.Round;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model on several shards: each round every shard with training vertices trains from the average of the
 * round before, and so do their optimisers. The result depends on the number of workers in nothing, as long as none is
 * late or fails. With one shard it is the training of one model.
 */
public final class AveragedTraining implements AutoCloseable {
    private final String description;
    private final AveragingOptions options;
    private final Workforce workforce;
    private final @Nullable CheckpointFile file;
    private final RoundListener listener;

    private ModelState state;
    private @Nullable BestModel best;
    private int round;
    private int epochs;
    private long bytesAveraged;

    /** With threads of this process, {@code options.workers()} of them, which take over the shards and close them. */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            List<ShardTrainer> shards,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        this(description, options, new Crew(shards, options.workers()), weights, file, listener);
    }

    /**
     * Takes over the workforce, and closes it in the end.
     *
     * @param description all that the numbers depend on beside {@code options}, in words: two trainings with the same
     *     one may go on from each other's checkpoints
     * @param weights to begin with
     * @param file of checkpoints, one after each round; null for none
     */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            Workforce workforce,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        // How many workers there are, and how far training is to go, may change from run to run.
        this.description = "%s, averaged every %s".formatted(description, options.averageEvery());
        this.options = options;
        state = ModelState.initial(weights);
        this.file = file;
        this.listener = listener;
        this.workforce = workforce;
    }

    /**
     * Goes back to the last checkpoint, if there is one.
     *
     * @return the round that it was made after, 0 if there is none
     * @throws IOException with a sentence, if it is of another training or damaged
     */
    public int resume() throws IOException {
        Checkpoint checkpoint = file == null ? null : file.read().orElse(null);
        if (checkpoint == null) {
            return 0;
        }
        if (!checkpoint.options().equals(description) || checkpoint.shards() != workforce.shardCount()) {
            throw new IOException(
                    "the checkpoint is of another training: it was made with '%s', and this is '%s'; give the same options, or another folder"
                            .formatted(checkpoint.options(), description));
        }
        state = checkpoint.state();
        best = checkpoint.best();
        round = checkpoint.round();
        epochs = checkpoint.epochs();
        bytesAveraged = checkpoint.bytesAveraged();
        return round;
    }

    /**
     * Trains to the end.
     *
     * @throws IllegalStateException with a sentence, if no worker at all finished a round
     */
    public TrainingResult run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        int epochsBefore = epochs;
        while (epochs < options.epochs() && !isOutOfPatience()) {
            goOn();
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

    private boolean isOutOfPatience() {
        return options.patience() > 0 && best != null && epochs - best.epoch() >= options.patience();
    }

    /** From one test to the next: a round of whole epochs, or all rounds of an epoch. */
    private void goOn() throws IOException, InterruptedException {
        long began = System.nanoTime();
        ShardCut cut = ShardCut.only(workforce.shardCount());
        int length = options.averageEvery().isOfBatches()
                ? 1
                : Math.min(options.averageEvery().count(), options.epochs() - epochs);
        List<Integer> missing = new ArrayList<>();
        EpochReport work = options.averageEvery().isOfBatches()
                ? trainEpoch(cut, missing)
                : trainAll(new Round(++round, cut, epochs, length), missing).report();
        Round last = new Round(round, cut, epochs, length);
        epochs += length;
        Tally tally = testAll(last, missing);
        bytesAveraged += workforce.takeBytes();
        if (best == null || best.isBeatenBy(tally)) {
            best = new BestModel(epochs, state.weights(), tally);
        }
        if (file != null) {
            file.write(new Checkpoint(description, workforce.shardCount(), round, epochs, bytesAveraged, state, best));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        listener.roundDone(new RoundReport(
                round, epochs, work, tally, (int) missing.stream().distinct().count(), bytesAveraged, seconds));
    }

    /** Rounds of mini-batches; shards with fewer of them than others have no part in the last ones. */
    private EpochReport trainEpoch(ShardCut cut, List<Integer> missing) throws InterruptedException {
        EpochReport work = EpochReport.nothing();
        int batches = options.averageEvery().count();
        int longest = 1; // until the shards have told
        for (int first = 0; first < longest; first += batches) {
            Trained trained = trainAll(Round.ofBatches(++round, cut, epochs, first, batches), missing);
            work = work.plus(trained.report());
            longest = Math.max(longest, trained.longestEpoch());
        }
        return work;
    }

    /**
     * What all shards did in a round.
     *
     * @param longestEpoch most mini-batches that a shard has in an epoch
     */
    private record Trained(EpochReport report, int longestEpoch) {}

    private Trained trainAll(Round asked, List<Integer> missing) throws InterruptedException {
        List<@Nullable LocalUpdate> updates =
                workforce.train(asked, state, options.roundWait(), (shard, sentence) -> miss(shard, sentence, missing));
        ModelAverage average = new ModelAverage();
        EpochReport work = EpochReport.nothing();
        int longest = 0;
        for (LocalUpdate update : updates) {
            if (update != null && update.examples() > 0) {
                average.add(update);
                work = work.plus(update.report());
                longest = Math.max(longest, update.epochBatches());
            }
        }
        if (average.isEmpty() && asked.firstBatch() > 0 && updates.stream().anyMatch(Objects::nonNull)) {
            return new Trained(work, longest); // the only ones that had mini-batches left are missing
        }
        if (average.isEmpty()) {
            throw new IllegalStateException(
                    "round %d: no worker with training vertices finished it within %d s; raise --round-wait, or see why they fail"
                            .formatted(round, options.roundWait().toSeconds()));
        }
        state = average.mean();
        return new Trained(work, longest);
    }

    private Tally testAll(Round asked, List<Integer> missing) throws InterruptedException {
        List<@Nullable Tally> tallies = workforce.test(
                asked, state.weights(), options.roundWait(), (shard, sentence) -> miss(shard, sentence, missing));
        Tally all = new Tally();
        for (Tally tally : tallies) {
            if (tally != null) {
                all.add(tally);
            }
        }
        return all;
    }

    private void miss(int shard, String sentence, List<Integer> missing) {
        missing.add(shard);
        listener.shardMissing(round, shard, sentence);
    }

    @Override
    public void close() {
        workforce.close();
    }
}
