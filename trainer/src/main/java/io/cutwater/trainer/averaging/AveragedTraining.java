package io.cutwater.trainer.averaging;

import io.cutwater.trainer.averaging.AverageEvery.Unit;
import io.cutwater.trainer.progress.BestModel;
import io.cutwater.trainer.progress.Checkpoint;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.EmbeddingFiles;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.RoundsFile;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model on several shards. In each round, every shard with training vertices trains from the average of the
 * previous round, optimiser state included. Between rounds the graph may grow and the number of shards may change. As
 * long as no worker is late or fails, the result does not depend on the number of workers. With one shard this is
 * ordinary training of one model.
 */
public final class AveragedTraining implements AutoCloseable {
    private final String description;
    private final AveragingOptions options;
    private final Workforce workforce;
    private final MergedCut cut;
    private final AveragedRounds rounds;
    private final @Nullable CheckpointFile file;
    private final @Nullable RoundsFile table;
    private final @Nullable EmbeddingFiles embeddingFiles;
    private final RoundListener listener;

    private @Nullable BestModel best;
    private @Nullable ShardCut cutOfBest;
    private int epochs;
    private long bytesAveraged;
    private Traffic traffic = Traffic.NONE;
    private Locality locality = Locality.NONE;

    /**
     * Creates a training with {@code options.workers()} threads of this process, which create and close the trainers.
     */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            CutSource cuts,
            ShardTrainers trainers,
            float[][] weights,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        this(
                description,
                options,
                cuts,
                new LocalWorkers(
                        trainers, options.workers(), options.averageEvery().isOfGradients()),
                ModelState.initial(weights),
                file,
                listener);
    }

    /**
     * Creates a training that owns the workforce and closes it in the end.
     *
     * @param description everything besides {@code options} and the cuts that the result depends on; trainings with the
     *     same description can resume each other's checkpoints
     * @param initial initial state
     * @param file file of the checkpoint, which is replaced after each test; null for no checkpoints
     */
    public AveragedTraining(
            String description,
            AveragingOptions options,
            CutSource cuts,
            Workforce workforce,
            ModelState initial,
            @Nullable CheckpointFile file,
            RoundListener listener) {
        // The numbers of workers and epochs may differ between runs, so they are not part of it.
        this.description = "%s, averaged every %s%s"
                .formatted(
                        description,
                        options.averageEvery(),
                        options.evaluateEvery() == 1
                                ? ""
                                : ", tested every %d epochs".formatted(options.evaluateEvery()));
        this.options = options;
        this.file = file;
        table = file == null ? null : file.rounds();
        embeddingFiles = file == null ? null : new EmbeddingFiles(file.folder());
        this.listener = listener;
        this.workforce = workforce;
        cut = new MergedCut(cuts, options.refresh().everyEpochs(), workforce, listener);
        rounds = new AveragedRounds(options, workforce, initial, listener);
    }

    /**
     * Restores the last checkpoint and its cut, if there is one.
     *
     * @return the round of the checkpoint, 0 if there is none
     * @throws IOException if the checkpoint is damaged or of another training; the message is meant for users
     */
    public int resume() throws IOException {
        Checkpoint checkpoint = file == null ? null : file.read().orElse(null);
        if (file == null || checkpoint == null) {
            return 0;
        }
        if (!checkpoint.options().equals(description)) {
            throw new IOException(
                    "the checkpoint belongs to another training: it was made with '%s', but this training uses '%s'; give the same options or another folder"
                            .formatted(checkpoint.options(), description));
        }
        EmbeddingRows expected = rounds.state().embeddings();
        rounds.resume(
                checkpoint,
                expected == null || embeddingFiles == null
                        ? null
                        : embeddingFiles.read(checkpoint.round(), expected.width()));
        cut.resume(checkpoint);
        best = checkpoint.best();
        cutOfBest = checkpoint.cut();
        epochs = checkpoint.epochs();
        bytesAveraged = checkpoint.bytesAveraged();
        if (table != null) {
            table.keepUntil(rounds.count());
        }
        if (best != null) {
            listener.modelFound(best.weights()); // a killed process may have written the checkpoint only
        }
        return rounds.count();
    }

    /**
     * Trains to the end. A training that follows its graph ends when its thread is interrupted: it keeps the result of
     * its last complete round and discards the round in progress.
     *
     * @throws IOException if a shard cannot be built or there is nothing to train on; the message is meant for users
     * @throws IllegalStateException if no worker finished a round; the message is meant for users
     */
    public TrainingResult run() throws IOException, InterruptedException {
        long began = System.nanoTime();
        int epochsBefore = epochs;
        try {
            train();
        } catch (InterruptedException e) {
            refuseToEnd(e);
        } catch (IOException | RuntimeException e) {
            if (!Thread.interrupted()) { // interrupted reads and writes throw various exceptions
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
                rounds.count(),
                seconds / Math.max(1, epochs - epochsBefore),
                bytesAveraged,
                traffic,
                locality);
    }

    private void refuseToEnd(InterruptedException e) throws InterruptedException {
        if (!options.refresh().follows() || best == null) {
            throw e;
        }
    }

    private void train() throws IOException, InterruptedException {
        while (epochs < options.epochs() && !isOutOfPatience()) {
            if (!goOn(options.epochs())) {
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
     * Moves to a newer cut if one is due, then trains up to the next test: rounds of whole epochs, or all rounds of
     * each epoch.
     *
     * @param end maximum number of epochs in all, above those done
     * @return false if there is nothing to train on yet
     */
    private boolean goOn(int end) throws IOException, InterruptedException {
        long began = System.nanoTime();
        AverageEvery every = options.averageEvery();
        ShardCut at = cut.next(epochs);
        int from = epochs;
        int length;
        RoundResult trained = null;
        do {
            length = every.unit() == Unit.EPOCHS ? Math.min(every.count(), end - epochs) : 1;
            RoundResult next = rounds.train(at, epochs, length);
            if (next.isNothing()) {
                return false;
            }
            trained = trained == null ? next : trained.then(next);
            epochs += length;
        } while (epochs < end && epochs - from < options.evaluateEvery());
        AccuracyCounts counts = rounds.test(at, epochs - length, length);
        bytesAveraged += workforce.takeBytes() + trained.report().bytesSent();
        Traffic ofRound = trained.report().traffic();
        traffic = traffic.plus(ofRound);
        Locality local = trained.report().locality();
        locality = locality.plus(local);
        // Losses on different cuts are not comparable.
        boolean isBetter = best == null || !at.equals(cutOfBest) || best.isBeatenBy(counts);
        if (isBetter) {
            best = new BestModel(epochs, rounds.state().weights(), counts);
            cutOfBest = at;
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        RoundReport report = new RoundReport(
                rounds.count(),
                epochs,
                trained.report(),
                counts,
                workforce.workers(),
                rounds.takeMissing(),
                bytesAveraged,
                ofRound,
                local,
                seconds,
                at,
                trained.size());
        if (file != null && table != null) {
            table.add(report);
            saveEmbeddings(isBetter);
            file.write(new Checkpoint(
                    description, at, cut.mergedAt(), rounds.count(), epochs, bytesAveraged, rounds.state(), best));
        }
        if (isBetter) {
            listener.modelFound(rounds.state().weights());
        }
        listener.roundDone(report);
        return true;
    }

    private void saveEmbeddings(boolean isBest) throws IOException {
        EmbeddingRows embeddings = rounds.state().embeddings();
        if (embeddings != null && embeddingFiles != null) {
            embeddingFiles.write(embeddings, rounds.count());
            if (isBest) {
                embeddingFiles.writeBest(embeddings);
            }
        }
    }

    @Override
    public void close() {
        workforce.close();
    }
}
