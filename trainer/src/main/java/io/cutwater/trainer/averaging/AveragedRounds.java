package io.cutwater.trainer.averaging;

import io.cutwater.trainer.progress.Checkpoint;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rounds of a training: each trains all shards from the average of the last one, and makes the next average. */
final class AveragedRounds {
    private final AveragingOptions options;
    private final Workforce workforce;
    private final RoundListener listener;
    private final Set<Integer> missing = new HashSet<>();

    private ModelState state;
    private int round;

    AveragedRounds(AveragingOptions options, Workforce workforce, ModelState initial, RoundListener listener) {
        this.options = options;
        this.workforce = workforce;
        this.listener = listener;
        state = initial;
    }

    /**
     * Restores the average and the number of rounds of a checkpoint.
     *
     * @param embeddings learned rows at the checkpoint; null for none
     */
    void resume(Checkpoint checkpoint, @Nullable EmbeddingRows embeddings) {
        state = checkpoint.state().with(embeddings);
        round = checkpoint.round();
    }

    /** Returns the current average. */
    ModelState state() {
        return state;
    }

    /** Returns the number of rounds so far. */
    int count() {
        return round;
    }

    /** Returns the number of shards that did not answer since the last call. */
    int takeMissing() {
        int taken = missing.size();
        missing.clear();
        return taken;
    }

    /**
     * Trains one round of whole epochs, or all rounds of one epoch. The result is empty if no shard has a training
     * vertex and the graph may grow.
     *
     * @param epochs number of epochs done so far
     * @param length number of epochs to train; 1 if a round is shorter than an epoch
     * @throws IOException if there is nothing to train on; the message is meant for users
     * @throws IllegalStateException if no worker finished a round; the message is meant for users
     */
    RoundResult train(ShardCut at, int epochs, int length) throws IOException, InterruptedException {
        return switch (options.averageEvery().unit()) {
            case EPOCHS -> train(Round.ofEpochs(++round, at, epochs, length, workforce.needsAllShards()));
            case BATCHES -> trainBatches(at, epochs);
            case GRADIENTS -> train(Round.ofSharedSteps(++round, at, epochs));
        };
    }

    /** Trains one epoch. Shards with fewer mini-batches than others take no part in the last rounds. */
    private RoundResult trainBatches(ShardCut at, int epoch) throws IOException, InterruptedException {
        int batches = options.averageEvery().count();
        RoundResult all = train(Round.ofBatches(++round, at, epoch, 0, batches));
        for (int first = batches; first < all.longestEpoch(); first += batches) {
            all = all.then(train(Round.ofBatches(++round, at, epoch, first, batches)));
        }
        return all;
    }

    private RoundResult train(Round asked) throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        List<LocalUpdate> updates = workforce.train(asked, state, options.roundWait(), gaps(asked, failures)).stream()
                .filter(Objects::nonNull)
                .toList();
        requireAll(asked, failures);
        ModelAverage average = new ModelAverage();
        updates.stream().filter(update -> update.examples() > 0).forEach(average::add);
        if (!average.isEmpty()) {
            EmbeddingRows embeddings = state.embeddings();
            state = (asked.sharesSteps() ? average.common(asked.number()) : average.mean())
                    .with(embeddings == null ? null : embeddings.with(changed(updates)));
            return RoundResult.of(updates);
        }
        if (asked.firstBatch() > 0 && !updates.isEmpty()) {
            return RoundResult.of(updates); // the shards with mini-batches left did not answer
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "round %d: no worker with training vertices finished it within %d s; raise --round-wait, or check why the workers fail"
                            .formatted(asked.number(), options.roundWait().toSeconds()));
        }
        if (options.refresh().everyEpochs() > 0) { // edges may arrive before the data of their vertices
            return RoundResult.of(List.of());
        }
        throw new IOException(
                "no vertex has both a class and split train; give --labels and --split here, or when the shards are made");
    }

    private static List<EmbeddingRows> changed(List<LocalUpdate> updates) {
        return updates.stream()
                .map(update -> update.state().embeddings())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Tests the average on all shards.
     *
     * @param epochs number of epochs done before the last round
     * @param length number of epochs of the last round
     */
    AccuracyCounts test(ShardCut at, int epochs, int length) throws InterruptedException {
        Round asked = Round.ofEpochs(round, at, epochs, length, workforce.needsAllShards());
        List<String> failures = new ArrayList<>();
        List<@Nullable AccuracyCounts> answers =
                workforce.test(asked, state, options.roundWait(), gaps(asked, failures));
        requireAll(asked, failures);
        AccuracyCounts all = new AccuracyCounts();
        for (AccuracyCounts counts : answers) {
            if (counts != null) {
                all.add(counts);
            }
        }
        return all;
    }

    private Workforce.Gap gaps(Round asked, List<String> failures) {
        return (shard, sentence) -> {
            missing.add(shard);
            listener.shardMissing(asked.number(), shard, sentence);
            failures.add("shard %d: %s".formatted(shard, sentence));
        };
    }

    private static void requireAll(Round asked, List<String> failures) {
        if (asked.sharesSteps() && !failures.isEmpty()) {
            throw new IllegalStateException(
                    "round %d needs all shards at the same time, but %s; add --resume to continue from the last checkpoint"
                            .formatted(asked.number(), failures.get(0)));
        }
    }
}
