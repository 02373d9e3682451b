package io.cutwater.trainer.averaging;

import io.cutwater.trainer.progress.BestModel;
import io.cutwater.trainer.progress.Checkpoint;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.RoundsFile;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model on several shards: each round every shard with training vertices trains from the average of the
 * round before, and so do their optimisers. Between rounds the graph may grow, and the number of shards change. The
 * result depends on the number of workers in nothing, as long as none is late or fails. With one shard it is the
 * training of one model.
 */
public final class AveragedTraining implements AutoCloseable {
    private final String description;
    private final AveragingOptions options;
    private final Workforce workforce;
    private final MergedCut cut;
    private final @Nullable CheckpointFile file;
    private final @Nullable RoundsFile rounds;
    private final RoundListener listener;

    private ModelState state;
    private @Nullable BestModel best;
    private @Nullable ShardCut cutOfBest;
    private int round;
    private int epochs;
    private long bytesAveraged;

    /** With threads of this process, {@code options.workers()} of them, which make the trainers and close them. */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            CutSource cuts,
            ShardTrainers trainers,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        this(description, options, cuts, new LocalWorkers(trainers, options.workers()), weights, file, listener);
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
            CutSource cuts,
            Workforce workforce,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        // How many workers there are, and how far training is to go, may change from run to run.
        this.description = "%s, averaged every %s".formatted(description, options.averageEvery());
        this.options = options;
        state = ModelState.initial(weights);
        this.file = file;
        rounds = file == null ? null : file.rounds();
        this.listener = listener;
        this.workforce = workforce;
        cut = new MergedCut(cuts, options.refresh().everyEpochs(), workforce, listener);
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
        cut.resume(checkpoint);
        best = checkpoint.best();
        cutOfBest = checkpoint.cut();
        round = checkpoint.round();
        epochs = checkpoint.epochs();
        bytesAveraged = checkpoint.bytesAveraged();
        if (rounds != null) {
            rounds.keepUntil(round);
        }
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
                found.counts(),
                found.epoch(),
                epochs,
                round,
                seconds / Math.max(1, epochs - epochsBefore),
                bytesAveraged);
    }

    private void refuseToEnd(InterruptedException e) throws InterruptedException {
        if (!options.refresh().follows() || best == null) {
            throw e;
        }
    }

    private void train() throws IOException, InterruptedException {
        while (epochs < options.epochs() && !isOutOfPatience()) {
            if (!goOn(options.epochs() - epochs)) {
                cut.awaitNewer(epochs);
            }
        }
        while (options.refresh().follows()) {
            cut.awaitNewer(epochs);
            goOn(Integer.MAX_VALUE);
        }
    }

    private boolean isOutOfPatience() {
        return options.patience() > 0 && best != null && epochs - best.epoch() >= options.patience();
    }

    /**
     * Merges, and goes on from one test to the next: a round of whole epochs, or all rounds of an epoch.
     *
     * @param most epochs, at least 1
     * @return false if there is nothing to train on yet
     */
    private boolean goOn(int most) throws IOException, InterruptedException {
        long began = System.nanoTime();
        AverageEvery every = options.averageEvery();
        ShardCut at = cut.next(epochs);
        int length = every.isOfBatches() ? 1 : Math.min(every.count(), most);
        List<Integer> missing = new ArrayList<>();
        RoundResult trained = every.isOfBatches()
                ? trainEpoch(at, missing)
                : trainAll(new Round(++round, at, epochs, length), missing);
        if (trained.isNothing()) {
            return false;
        }
        AccuracyCounts counts = testAll(new Round(round, at, epochs, length), missing);
        epochs += length;
        bytesAveraged += workforce.takeBytes();
        // How well a model does on another graph says nothing about this one.
        boolean isBetter = best == null || !at.equals(cutOfBest) || best.isBeatenBy(counts);
        if (isBetter) {
            best = new BestModel(epochs, state.weights(), counts);
            cutOfBest = at;
        }
        int shardsMissing = (int) missing.stream().distinct().count();
        double seconds = (System.nanoTime() - began) / 1e9;
        RoundReport report = new RoundReport(
                round, epochs, trained.report(), counts, shardsMissing, bytesAveraged, seconds, at, trained.size());
        if (file != null && rounds != null) {
            rounds.add(report);
            file.write(new Checkpoint(description, at, cut.mergedAt(), round, epochs, bytesAveraged, state, best));
        }
        if (isBetter) {
            listener.modelFound(state.weights());
        }
        listener.roundDone(report);
        return true;
    }

    /** Rounds of mini-batches; shards with fewer of them than others have no part in the last ones. */
    private RoundResult trainEpoch(ShardCut at, List<Integer> missing) throws IOException, InterruptedException {
        int batches = options.averageEvery().count();
        RoundResult all = trainAll(Round.ofBatches(++round, at, epochs, 0, batches), missing);
        for (int first = batches; first < all.longestEpoch(); first += batches) {
            all = all.then(trainAll(Round.ofBatches(++round, at, epochs, first, batches), missing));
        }
        return all;
    }

    /** Nothing if no shard has a training vertex, and the graph may grow. */
    private RoundResult trainAll(Round asked, List<Integer> missing) throws IOException, InterruptedException {
        List<LocalUpdate> updates = workforce
                .train(asked, state, options.roundWait(), (shard, sentence) -> miss(asked, shard, sentence, missing))
                .stream()
                .filter(Objects::nonNull)
                .toList();
        ModelAverage average = new ModelAverage();
        updates.stream().filter(update -> update.examples() > 0).forEach(average::add);
        if (!average.isEmpty()) {
            state = average.mean();
            return RoundResult.of(updates);
        }
        if (asked.firstBatch() > 0 && !updates.isEmpty()) {
            return RoundResult.of(updates); // the only ones that had mini-batches left are missing
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "round %d: no worker with training vertices finished it within %d s; raise --round-wait, or see why they fail"
                            .formatted(asked.number(), options.roundWait().toSeconds()));
        }
        if (options.refresh().everyEpochs() > 0) { // edges may come before what is known of their vertices
            return RoundResult.of(List.of());
        }
        throw new IOException(
                "there is no vertex with a class to train on; give labels and the split that belongs to them, here or to what made the shards");
    }

    private AccuracyCounts testAll(Round asked, List<Integer> missing) throws InterruptedException {
        List<@Nullable AccuracyCounts> answers = workforce.test(
                asked,
                state.weights(),
                options.roundWait(),
                (shard, sentence) -> miss(asked, shard, sentence, missing));
        AccuracyCounts all = new AccuracyCounts();
        for (AccuracyCounts counts : answers) {
            if (counts != null) {
                all.add(counts);
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
