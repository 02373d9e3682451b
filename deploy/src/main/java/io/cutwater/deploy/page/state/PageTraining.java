package io.cutwater.deploy.page.state;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.kafka.training.TrainingRound;
import io.cutwater.kafka.training.TrainingRoundJson;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The rounds of the last training: its curves, and how far it is behind the stream. Not thread-safe. */
final class PageTraining {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TimeSeries rounds;
    private @Nullable TrainingRound last;
    private double lastTime;
    private double mergedAt;
    private int merges;

    /** @param capacity rows of the curves at most */
    PageTraining(int capacity) {
        rounds = new TimeSeries(capacity, "time", "loss", "validationLoss", "validationAccuracy", "testAccuracy");
    }

    TimeSeries rounds() {
        return rounds;
    }

    /**
     * Takes a round.
     *
     * @param time seconds since the epoch
     * @return whether the training merged new data before it
     */
    boolean accept(TrainingRound round, double time) {
        TrainingRound before = last;
        boolean isNew = before == null || !before.run().equals(round.run());
        boolean hasMerged =
                before != null && !isNew && (before.vertices() != round.vertices() || before.edges() != round.edges());
        if (isNew) {
            merges = 0;
        }
        if (hasMerged) {
            merges++;
        }
        if (isNew || hasMerged) {
            mergedAt = time;
        }
        last = round;
        lastTime = time;
        rounds.add(time, round.loss(), round.validationLoss(), round.validationAccuracy(), round.testAccuracy());
        return hasMerged;
    }

    /**
     * Writes {@code round}, the last one, and {@code trainer} into a tree if there is a round: {@code merges} of new
     * data, {@code dataSeconds} since the last of them or the first round, {@code silence} in seconds since the round,
     * and, if the graph has vertices, {@code lacking}, the share of them that the training does not have now.
     *
     * @param now seconds since the epoch
     * @param graph vertices of the graph now; 0 if unknown
     */
    void put(double now, long graph, ObjectNode tree) {
        TrainingRound round = last;
        if (round == null) {
            return;
        }
        try {
            tree.set("round", JSON.readTree(TrainingRoundJson.toBytes(round)));
        } catch (IOException e) {
            throw new IllegalStateException("JSON that was just written cannot be read", e);
        }
        ObjectNode trainer = tree.putObject("trainer")
                .put("merges", merges)
                .put("dataSeconds", now - mergedAt)
                .put("silence", now - lastTime);
        if (graph > 0) {
            trainer.put("lacking", Math.max(0, 1 - (double) round.vertices() / graph));
        }
    }
}
