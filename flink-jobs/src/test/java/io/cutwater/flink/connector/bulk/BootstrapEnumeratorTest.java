package io.cutwater.flink.connector.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BootstrapEnumeratorTest {
    private static final int TASKS = 3;

    private final List<Integer> told = new ArrayList<>();
    private final BootstrapEnumerator enumerator = new BootstrapEnumerator(new Context(), new NoTopic(), TASKS);

    private void begin() {
        for (int task = 0; task < TASKS; task++) {
            enumerator.addSplitsBack(List.of(), task);
        }
        for (int task = 0; task < TASKS; task++) {
            enumerator.addReader(task);
        }
    }

    private void emitted(int... tasks) {
        for (int task : tasks) {
            enumerator.handleSourceEvent(task, BootstrapEvent.EMITTED);
        }
    }

    private void checkpoint(long number) throws Exception {
        enumerator.snapshotState(number);
        enumerator.notifyCheckpointComplete(number);
    }

    @Test
    void readersGoLiveAfterACheckpointBehindTheHistoryOfAll() throws Exception {
        begin();
        emitted(0, 1);
        checkpoint(1);
        assertThat(told).isEmpty();
        enumerator.snapshotState(2);
        emitted(2);
        enumerator.notifyCheckpointComplete(2); // its barrier may be before the last edges
        assertThat(told).isEmpty();
        enumerator.snapshotState(3); // which is aborted
        checkpoint(4);
        assertThat(told).containsExactly(0, 1, 2);
        checkpoint(5);
        assertThat(told).hasSize(TASKS);
    }

    @Test
    void anAttemptThatBeginsAgainWaitsForAllItsReaders() throws Exception {
        begin();
        emitted(0, 1, 2);
        enumerator.snapshotState(1);
        begin(); // before it is complete; reader 1 begins within its piece
        emitted(0, 2);
        checkpoint(2);
        assertThat(told).isEmpty();
        emitted(1);
        checkpoint(3);
        assertThat(told).containsExactly(0, 1, 2);
        begin();
        emitted(0, 1, 2); // also those that are live
        checkpoint(4);
        assertThat(told).hasSize(2 * TASKS);
    }

    /** Readers that emit, crash and continue from checkpoints: none is told before a checkpoint has all histories. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noReaderGoesLiveBeforeItsPiecesAreInACheckpoint(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int[] position = new int[TASKS];
        int[] stored = new int[TASKS]; // of the last complete checkpoint
        int end = 5;
        long number = 0;
        begin();
        while (told.isEmpty()) {
            int task = random.nextInt(TASKS);
            if (random.nextInt(12) == 0) {
                System.arraycopy(stored, 0, position, 0, TASKS);
                begin();
                for (int each = 0; each < TASKS; each++) {
                    if (position[each] == end) {
                        emitted(each);
                    }
                }
            } else if (position[task] < end && ++position[task] == end) {
                emitted(task);
            } else if (random.nextInt(3) == 0) {
                enumerator.snapshotState(++number);
                int[] pieces = new int[TASKS];
                for (int each = 0; each < TASKS; each++) { // the barriers come at different times
                    pieces[each] = position[each];
                    int other = random.nextInt(TASKS);
                    if (position[other] < end && random.nextBoolean() && ++position[other] == end) {
                        emitted(other);
                    }
                }
                if (random.nextInt(4) > 0) {
                    stored = pieces;
                    enumerator.notifyCheckpointComplete(number);
                }
            }
        }
        assertThat(stored).containsOnly(end);
    }

    /** Takes down who is told to go live. */
    private final class Context implements SplitEnumeratorContext<BootstrapSplit> {
        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            assertThat(event).isEqualTo(BootstrapEvent.GO_LIVE);
            told.add(subtask);
        }

        @Override
        public int currentParallelism() {
            return TASKS;
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            return Map.of();
        }

        @Override
        public void assignSplits(SplitsAssignment<BootstrapSplit> assignment) {}

        @Override
        public void signalNoMoreSplits(int subtask) {}

        @Override
        public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler) {}

        @Override
        public <T> void callAsync(Callable<T> call, BiConsumer<T, Throwable> handler, long initialDelay, long period) {}

        @Override
        public void runInCoordinatorThread(Runnable runnable) {}
    }

    /** A topic without partitions. */
    private static final class NoTopic implements SplitEnumerator<BootstrapSplit, KafkaSourceEnumState> {
        @Override
        public void start() {}

        @Override
        public void handleSplitRequest(int subtask, @Nullable String host) {}

        @Override
        public void addSplitsBack(List<BootstrapSplit> splits, int subtask) {}

        @Override
        public void addReader(int subtask) {}

        @Override
        public KafkaSourceEnumState snapshotState(long checkpointId) {
            return new KafkaSourceEnumState(Set.of(), Set.of(), true);
        }

        @Override
        public void close() {}
    }
}
