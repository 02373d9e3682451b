package io.cutwater.flink.connector.topic;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

/** Reader of the Kafka source that reads only what its guard admits. */
public final class TopicSourceReader<T> implements SourceReader<T, TopicSplit> {
    private final SourceReader<T, KafkaPartitionSplit> kafka;
    private final TopicGuard guard;
    private final ReadPositions positions;

    TopicSourceReader(SourceReader<T, KafkaPartitionSplit> kafka, TopicGuard guard, ReadPositions positions) {
        this.kafka = kafka;
        this.guard = guard;
        this.positions = positions;
    }

    @Override
    public void start() {
        kafka.start();
    }

    @Override
    public void addSplits(List<TopicSplit> splits) {
        List<TopicSplit> admitted = guard.admit(splits);
        admitted.forEach(split ->
                positions.begin(split.place().getTopicPartition(), split.place().getStartingOffset()));
        if (!admitted.isEmpty()) {
            kafka.addSplits(admitted.stream().map(TopicSplit::place).toList());
        }
    }

    /**
     * Checks topic partitions that are read later.
     *
     * @return the splits from which reading may continue
     * @throws RuntimeException if they cannot be read there, which ends the job
     */
    public List<TopicSplit> admit(List<TopicSplit> later) {
        return guard.admit(later);
    }

    /** Checks that the topic is still the one that was admitted. */
    public void requireSameTopic() {
        guard.requireSame();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
        return kafka.pollNext(output);
    }

    @Override
    public List<TopicSplit> snapshotState(long checkpointId) {
        return guard.snapshot(kafka.snapshotState(checkpointId).stream()
                .map(this::behindMarks)
                .toList());
    }

    private KafkaPartitionSplit behindMarks(KafkaPartitionSplit place) {
        long offset = place.getStartingOffset();
        long behind = positions.behind(place.getTopicPartition(), offset);
        return behind == offset || place.getStoppingOffset().isPresent()
                ? place
                : new KafkaPartitionSplit(place.getTopicPartition(), behind);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return kafka.isAvailable();
    }

    @Override
    public void notifyNoMoreSplits() {
        kafka.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        kafka.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        kafka.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void close() throws Exception {
        try (guard;
                positions) {
            kafka.close();
        }
    }
}
