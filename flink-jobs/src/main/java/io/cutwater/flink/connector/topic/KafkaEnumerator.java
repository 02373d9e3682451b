package io.cutwater.flink.connector.topic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.jspecify.annotations.Nullable;

/** Enumerator of the Kafka source whose topic partitions are splits of another source. */
final class KafkaEnumerator<S extends SourceSplit> implements SplitEnumerator<S, KafkaSourceEnumState> {
    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> live;
    private final Function<S, @Nullable KafkaPartitionSplit> unwrap;

    private KafkaEnumerator(
            SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> live,
            Function<S, @Nullable KafkaPartitionSplit> unwrap) {
        this.live = live;
        this.unwrap = unwrap;
    }

    /**
     * @param state of a checkpoint; null for none
     * @param wrap converts a topic partition into a split of the other source
     * @param unwrap returns the topic partition of a split; null if it has none
     */
    static <S extends SourceSplit> KafkaEnumerator<S> of(
            KafkaSource<?> source,
            SplitEnumeratorContext<S> context,
            @Nullable KafkaSourceEnumState state,
            Function<KafkaPartitionSplit, S> wrap,
            Function<S, @Nullable KafkaPartitionSplit> unwrap) {
        Context<S> wrapped = new Context<>(context, wrap);
        try {
            return new KafkaEnumerator<>(
                    state == null ? source.createEnumerator(wrapped) : source.restoreEnumerator(wrapped, state),
                    unwrap);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot restore the job's position in its topic: " + e.getMessage(), e);
        }
    }

    @Override
    public void start() {
        live.start();
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        live.handleSplitRequest(subtask, host);
    }

    @Override
    public void addSplitsBack(List<S> splits, int subtask) {
        List<KafkaPartitionSplit> topicPartitions = new ArrayList<>();
        for (S split : splits) {
            KafkaPartitionSplit topicPartition = unwrap.apply(split);
            if (topicPartition != null) {
                topicPartitions.add(topicPartition);
            }
        }
        live.addSplitsBack(topicPartitions, subtask);
    }

    @Override
    public void addReader(int subtask) {
        live.addReader(subtask);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
        return live.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        live.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        live.handleSourceEvent(subtask, event);
    }

    @Override
    public void close() throws IOException {
        live.close();
    }

    /** Context of the Kafka source's enumerator: delegates to the real context, whose splits are of another type. */
    private record Context<S extends SourceSplit>(SplitEnumeratorContext<S> real, Function<KafkaPartitionSplit, S> wrap)
            implements SplitEnumeratorContext<KafkaPartitionSplit> {
        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            return real.metricGroup();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            real.sendEventToSourceReader(subtask, event);
        }

        @Override
        public int currentParallelism() {
            return real.currentParallelism();
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            return real.registeredReaders();
        }

        @Override
        public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {
            Map<Integer, List<S>> splits = new HashMap<>();
            assignment
                    .assignment()
                    .forEach((subtask, topicPartitions) -> splits.put(
                            subtask, topicPartitions.stream().map(wrap).toList()));
            real.assignSplits(new SplitsAssignment<>(splits));
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            real.signalNoMoreSplits(subtask);
        }

        @Override
        public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler) {
            real.callAsync(call, handler);
        }

        @Override
        public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler, long initialDelay, long period) {
            real.callAsync(call, handler, initialDelay, period);
        }

        @Override
        public void runInCoordinatorThread(Runnable runnable) {
            real.runInCoordinatorThread(runnable);
        }
    }
}
