package io.cutwater.flink.connector.bulk;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history, then what is behind it. Topic partitions that are assigned before wait here. Whether the history
 * is over is in the reader's own state, so that it depends on no order of messages between it and the enumerator.
 */
final class BootstrapReader implements SourceReader<EdgeBatch, BootstrapSplit> {
    private final SourceReaderContext context;
    private final InputWork history;
    private final String name;
    private final Supplier<SourceReader<EdgeBatch, KafkaPartitionSplit>> liveReaders;
    private final List<KafkaPartitionSplit> waiting = new ArrayList<>();
    private boolean historyIsOver;
    private @Nullable BulkReading reading;
    private @Nullable SourceReader<EdgeBatch, KafkaPartitionSplit> live;
    private BulkSplit begin = BulkSplit.WHOLE;

    /** @param name of the job's scratch folder; @param liveReaders makes the reader of what is behind the history */
    BootstrapReader(
            SourceReaderContext context,
            InputWork history,
            String name,
            Supplier<SourceReader<EdgeBatch, KafkaPartitionSplit>> liveReaders) {
        this.context = context;
        this.history = history;
        this.name = name;
        this.liveReaders = liveReaders;
    }

    /** What a checkpoint had comes before {@link #start}, and tells where the history stands. */
    @Override
    public void addSplits(List<BootstrapSplit> splits) {
        List<KafkaPartitionSplit> topicPartitions = new ArrayList<>();
        for (BootstrapSplit split : splits) {
            if (split.live() != null) {
                topicPartitions.add(split.live());
            } else if (split.history() == null) {
                historyIsOver = true;
            } else {
                begin = split.history();
            }
        }
        if (live != null) {
            live.addSplits(topicPartitions);
        } else {
            waiting.addAll(topicPartitions);
        }
    }

    @Override
    public void start() {
        if (historyIsOver) {
            // Whoever asks is told so in an attempt that has no more to do with the history, too.
            BulkStage over = new BulkStage();
            over.begin(BulkSources.DONE);
            over.register(context.metricGroup());
            goLive();
        } else {
            reading = new BulkReading(context, history, name, begin);
        }
    }

    private void goLive() {
        SourceReader<EdgeBatch, KafkaPartitionSplit> reader = liveReaders.get();
        reader.start();
        if (!waiting.isEmpty()) {
            reader.addSplits(List.copyOf(waiting));
            waiting.clear();
        }
        live = reader;
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws Exception {
        if (live != null) {
            return live.pollNext(output);
        }
        BulkReading open = reading;
        if (open == null) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        InputStatus status = open.poll(output);
        if (status != InputStatus.END_OF_INPUT) {
            return status;
        }
        open.close();
        reading = null;
        historyIsOver = true;
        goLive();
        return InputStatus.MORE_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        if (live != null) {
            return live.isAvailable();
        }
        return reading == null ? new CompletableFuture<>() : reading.available();
    }

    @Override
    public List<BootstrapSplit> snapshotState(long checkpointId) {
        List<BootstrapSplit> splits = new ArrayList<>();
        splits.add(BootstrapSplit.ofHistory(reading == null ? historyIsOver ? null : begin : reading.next()));
        List<KafkaPartitionSplit> topicPartitions = live == null ? waiting : live.snapshotState(checkpointId);
        topicPartitions.forEach(topicPartition -> splits.add(BootstrapSplit.ofLive(topicPartition)));
        return splits;
    }

    @Override
    public void notifyNoMoreSplits() {
        throw new IllegalStateException("a live topic has no last topic partition");
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (live != null) {
            live.handleSourceEvents(event);
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        if (live != null) {
            live.notifyCheckpointComplete(checkpointId);
        }
    }

    @Override
    public void close() throws Exception {
        if (reading != null) {
            reading.close();
        }
        if (live != null) {
            live.close();
        }
    }
}
