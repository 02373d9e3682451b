package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.BootstrapSplit.Stage;
import io.cutwater.flink.connector.bulk.work.BulkReading;
import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.bulk.work.BulkStage;
import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.connector.topic.TopicSourceReader;
import io.cutwater.flink.connector.topic.TopicSplit;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history, or a piece of it, then the rest of the topic. Topic partitions that are assigned earlier wait
 * here. The reader's own state says whether the history is over, so that this does not depend on the order of messages
 * between it and the enumerator. If several tasks place the history, a reader that has emitted its piece waits for the
 * others, and takes part in their passes if they need it again after a crash.
 */
final class BootstrapReader implements SourceReader<EdgeBatch, BootstrapSplit> {
    private final SourceReaderContext context;
    private final InputWork history;
    private final String name;
    private final int tasks;
    private final TopicSourceReader<EdgeBatch> live;
    private final List<TopicSplit> waiting = new ArrayList<>();
    private Stage stage = Stage.HISTORY;
    private boolean isOver; // of the reading
    private boolean isLive;
    private @Nullable BulkReading reading;
    private final CompletableFuture<Void> goesLive = new CompletableFuture<>();
    private BulkSplit begin = BulkSplit.WHOLE;

    /**
     * @param name of the job's scratch folder
     * @param tasks that place the history
     * @param live reads the rest of the topic
     */
    BootstrapReader(
            SourceReaderContext context, InputWork history, String name, int tasks, TopicSourceReader<EdgeBatch> live) {
        this.context = context;
        this.history = history;
        this.name = name;
        this.tasks = tasks;
        this.live = live;
    }

    /** The splits of a checkpoint come before {@link #start}, and contain the position in the history. */
    @Override
    public void addSplits(List<BootstrapSplit> splits) {
        List<TopicSplit> topicPartitions = new ArrayList<>();
        for (BootstrapSplit split : splits) {
            if (split.live() != null) {
                topicPartitions.add(split.live());
                continue;
            }
            stage = Objects.requireNonNull(split.stage());
            boolean isOverForOne = tasks == 1 && stage == Stage.OVER; // one reader gets the splits of all
            if (split.tasks() != tasks && !isOverForOne) {
                throw FinalFailure.of(
                        "the history of the topic is placed by %d tasks, not by %d; resume the job with --bootstrap-tasks %d, and with --topology fused only when its history is placed"
                                .formatted(split.tasks(), tasks, split.tasks()));
            }
            begin = split.history() == null ? begin : split.history();
        }
        if (isLive) {
            live.addSplits(topicPartitions);
        } else {
            // Checked here already: the history is read from the same topic, and that may take hours.
            List<TopicSplit> admitted = live.admit(topicPartitions);
            requireUnmoved(topicPartitions, admitted);
            waiting.addAll(admitted);
        }
    }

    /** Losses that are accepted for a live topic would be a hole in the history, or another history. */
    private void requireUnmoved(List<TopicSplit> before, List<TopicSplit> admitted) {
        boolean isMoved = before.size() != admitted.size();
        for (int i = 0; i < before.size() && !isMoved; i++) {
            KafkaPartitionSplit place = before.get(i).place();
            isMoved = place.getStartingOffset() >= 0
                    && admitted.stream().map(TopicSplit::place).noneMatch(place::equals);
        }
        if (isMoved && stage != Stage.OVER) {
            throw FinalFailure.of("the topic has changed before its history was placed: submit the"
                    + " job again under another --topic-prefix");
        }
    }

    @Override
    public void start() {
        if (stage == Stage.OVER) {
            // The stage is reported also in an attempt that has nothing left to do with the history.
            BulkStage over = new BulkStage();
            over.begin(BulkStage.DONE);
            over.register(context.metricGroup());
            goLive();
        } else {
            reading = new BulkReading(context, history, name, begin);
        }
        if (stage != Stage.HISTORY) {
            tellEmitted(); // the enumerator forgets it when a reader begins
        }
    }

    private void tellEmitted() {
        if (tasks > 1) {
            context.sendSourceEventToCoordinator(BootstrapEvent.EMITTED);
        }
    }

    private void goLive() {
        stage = Stage.OVER;
        live.start();
        if (!waiting.isEmpty()) {
            live.addSplits(List.copyOf(waiting));
            waiting.clear();
        }
        isLive = true;
        goesLive.complete(null);
    }

    private void endHistory() {
        BulkReading open = reading;
        if (open != null) {
            open.done();
            open.close();
            reading = null;
        }
        goLive();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<EdgeBatch> output) throws Exception {
        if (isLive) {
            return live.pollNext(output);
        }
        BulkReading open = reading;
        if (open == null) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        InputStatus status = isOver ? InputStatus.NOTHING_AVAILABLE : open.poll(output);
        if (status != InputStatus.END_OF_INPUT) {
            return status;
        }
        begin = open.next();
        if (tasks == 1) {
            endHistory();
            return InputStatus.MORE_AVAILABLE;
        }
        isOver = true;
        if (stage == Stage.HISTORY) {
            stage = Stage.EMITTED;
            tellEmitted();
        }
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        if (isLive) {
            return live.isAvailable();
        }
        return reading == null || isOver ? goesLive : reading.available();
    }

    @Override
    public List<BootstrapSplit> snapshotState(long checkpointId) {
        List<BootstrapSplit> splits = new ArrayList<>();
        splits.add(BootstrapSplit.ofHistory(stage, reading == null ? begin : reading.next(), tasks));
        List<TopicSplit> topicPartitions = waiting;
        if (isLive) {
            topicPartitions = live.snapshotState(checkpointId);
        } else {
            live.requireSameTopic();
        }
        topicPartitions.forEach(topicPartition -> splits.add(BootstrapSplit.ofLive(topicPartition)));
        return splits;
    }

    @Override
    public void notifyNoMoreSplits() {
        throw new IllegalStateException("a live topic has no last topic partition");
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event == BootstrapEvent.GO_LIVE) {
            if (!isLive) {
                endHistory();
            }
        } else if (isLive) {
            live.handleSourceEvents(event);
        }
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        if (isLive) {
            live.notifyCheckpointComplete(checkpointId);
        }
    }

    @Override
    public void close() throws Exception {
        if (reading != null) {
            reading.close();
        }
        live.close();
    }
}
