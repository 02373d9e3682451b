package io.cutwater.trainer.progress;

import io.cutwater.format.VertexSplit;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.TrainingRound;
import io.cutwater.kafka.training.TrainingRoundTopic;
import io.cutwater.trainer.round.AccuracyCounts;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rounds of a training to topic {@code training-rounds}, where the live page reads them. A training does not
 * depend on it: when the topic cannot be written, a note says so once, and the training continues.
 */
public final class RoundPublisher implements RoundListener, AutoCloseable {
    private final String run = UUID.randomUUID().toString();
    private final String model;
    private final String mode;
    private final Consumer<String> notes;
    private final Supplier<TrainingRoundTopic> opener;
    private @Nullable TrainingRoundTopic topic;
    private boolean hasGivenUp;

    /**
     * Creates a publisher; the first round opens the topic.
     *
     * @param properties further client properties, such as those of TLS
     * @param model name of the kind of network
     * @param mode how shards work together, for people; empty if each trains alone
     * @param notes receives a message for users if the topic cannot be written
     */
    public RoundPublisher(
            String bootstrapServers,
            Map<String, ?> properties,
            Topics topics,
            String model,
            String mode,
            Consumer<String> notes) {
        this.model = model;
        this.mode = mode;
        this.notes = notes;
        opener = () -> new TrainingRoundTopic(bootstrapServers, properties, topics);
    }

    @Override
    public void roundDone(RoundReport report) {
        if (hasGivenUp) {
            return;
        }
        AccuracyCounts counts = report.counts();
        try {
            if (topic == null) {
                topic = opener.get();
            }
            topic.send(new TrainingRound(
                    run,
                    model,
                    mode,
                    report.round(),
                    report.epochs(),
                    report.work().loss(),
                    counts.loss(VertexSplit.VAL),
                    counts.accuracy(VertexSplit.TRAIN),
                    counts.accuracy(VertexSplit.VAL),
                    counts.accuracy(VertexSplit.TEST),
                    report.seconds(),
                    report.work().waitingShare(),
                    report.bytesAveraged(),
                    report.traffic().sent(),
                    report.workers(),
                    report.missing(),
                    report.cut().shards(),
                    report.size().vertices(),
                    report.size().edges()));
        } catch (BrokerException e) {
            giveUp(e);
        }
    }

    private void giveUp(BrokerException reason) {
        notes.accept("the rounds are not published, and the training continues: " + reason.getMessage());
        hasGivenUp = true;
        close();
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {}

    @Override
    public void close() {
        if (topic != null) {
            topic.close();
            topic = null;
        }
    }
}
