package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Simulates one attempt of a bulk source's task: assigns the split, polls, and can be stopped at any time. */
final class SimulatedTask implements AutoCloseable {
    private final SourceReader<EdgeBatch, BulkSplit> reader;
    private final List<String> emitted = new ArrayList<>();
    private boolean hasEnded;

    /** @param splits what the last checkpoint has, for the whole input {@link BulkSplit#WHOLE} */
    SimulatedTask(BulkSource source, Path temporary, List<BulkSplit> splits) {
        reader = source.createReader(new Context(temporary));
        reader.addSplits(splits);
        reader.start();
    }

    /** Polls until there is nothing now, or that many batches have come. */
    void poll(int batches) throws Exception {
        int target = emitted.size() + batches;
        InputStatus status = InputStatus.MORE_AVAILABLE;
        while (status == InputStatus.MORE_AVAILABLE && emitted.size() < target) {
            status = reader.pollNext(new Output());
        }
        hasEnded |= status == InputStatus.END_OF_INPUT;
    }

    void await(long micros) throws Exception {
        try {
            reader.isAvailable().get(micros, TimeUnit.MICROSECONDS);
        } catch (TimeoutException e) {
            // then there is nothing yet
        }
    }

    boolean hasEnded() {
        return hasEnded;
    }

    List<BulkSplit> checkpoint() {
        return reader.snapshotState(1);
    }

    /** Output of this attempt: one line for each edge and for each malformed record. */
    List<String> emitted() {
        return emitted;
    }

    @Override
    public void close() throws Exception {
        reader.close();
    }

    private final class Output implements ReaderOutput<EdgeBatch> {
        @Override
        public void collect(EdgeBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                emitted.add(line(batch, i));
            }
            batch.rejected()
                    .forEach(record -> emitted.add("rejected %s at %d: %s"
                            .formatted(
                                    Path.of(record.origin()).getFileName(),
                                    record.offset(),
                                    new String(record.value(), StandardCharsets.UTF_8))));
        }

        @Override
        public void collect(EdgeBatch batch, long timestamp) {
            collect(batch);
        }

        @Override
        public void emitWatermark(Watermark watermark) {}

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}

        @Override
        public SourceOutput<EdgeBatch> createOutputForSplit(String splitId) {
            return this;
        }

        @Override
        public void releaseOutputForSplit(String splitId) {}
    }

    static String line(EdgeBatch batch, int i) {
        return "%d %d %s on %d".formatted(batch.source(i), batch.target(i), batch.weight(i), batch.place(i));
    }

    /** Answers requests for splits with the end of the splits. */
    private final class Context implements SourceReaderContext {
        private final Configuration configuration = new Configuration();

        Context(Path temporary) {
            configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
        }

        @Override
        public SourceReaderMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
        }

        @Override
        public Configuration getConfiguration() {
            return configuration;
        }

        @Override
        public String getLocalHostName() {
            return "localhost";
        }

        @Override
        public int getIndexOfSubtask() {
            return 0;
        }

        @Override
        public void sendSplitRequest() {
            reader.notifyNoMoreSplits();
        }

        @Override
        public void sendSourceEventToCoordinator(SourceEvent event) {}

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(SimulatedTask.class.getClassLoader());
        }
    }
}
