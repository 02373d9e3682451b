package io.cutwater.flink.connector.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.jspecify.annotations.Nullable;

/** The Kafka source's enumerator, whose topic partitions are splits of a bootstrap. The history needs none. */
final class BootstrapEnumerator implements SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> {
    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> live;

    BootstrapEnumerator(SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> live) {
        this.live = live;
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
    public void addSplitsBack(List<BootstrapSplit> splits, int subtask) {
        List<KafkaPartitionSplit> topicPartitions = new ArrayList<>();
        for (BootstrapSplit split : splits) {
            if (split.live() != null) {
                topicPartitions.add(split.live());
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

    /** What the Kafka source's enumerator works with: the real context, for other splits. */
    record Context(SplitEnumeratorContext<BootstrapSplit> real) implements SplitEnumeratorContext<KafkaPartitionSplit> {
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
            Map<Integer, List<BootstrapSplit>> splits = new HashMap<>();
            assignment
                    .assignment()
                    .forEach((subtask, topicPartitions) -> splits.put(
                            subtask,
                            topicPartitions.stream().map(BootstrapSplit::ofLive).toList()));
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
