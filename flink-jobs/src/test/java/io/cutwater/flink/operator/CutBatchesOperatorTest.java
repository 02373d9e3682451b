package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CutBatchesOperatorTest {
    private static final long MAX_WAIT_MILLIS = 50;

    private OneInputStreamOperatorTestHarness<EdgeBatch, EdgeBatch> harness;

    @BeforeEach
    void open() throws Exception {
        harness = new OneInputStreamOperatorTestHarness<>(new CutBatchesOperator(MAX_WAIT_MILLIS));
        harness.setup(GraphTypes.EDGE_BATCH.serializer());
        harness.open();
        harness.setProcessingTime(1000);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void gathersRecordsIntoFullBatchesInOrder() throws Exception {
        int edges = 2 * EdgeBatch.DEFAULT_CAPACITY + 5;
        for (int i = 0; i < edges; i++) {
            feed(record(0, i, i + 1));
        }
        assertThat(sizes()).containsExactly(EdgeBatch.DEFAULT_CAPACITY, EdgeBatch.DEFAULT_CAPACITY);
        harness.endInput();
        assertThat(sizes()).containsExactly(EdgeBatch.DEFAULT_CAPACITY, EdgeBatch.DEFAULT_CAPACITY, 5);
        long next = 0;
        for (EdgeBatch batch : batches()) {
            for (int i = 0; i < batch.size(); i++) {
                assertThat(batch.source(i)).isEqualTo(next++);
            }
        }
    }

    @Test
    void aSingleEdgeIsEmittedAfterTheTimeLimit() throws Exception {
        feed(record(0, 1, 2));
        harness.setProcessingTime(1000 + MAX_WAIT_MILLIS - 1);
        assertThat(sizes()).isEmpty();
        harness.setProcessingTime(1000 + MAX_WAIT_MILLIS);
        assertThat(sizes()).containsExactly(1);
        feed(record(0, 3, 4));
        harness.setProcessingTime(1000 + 3 * MAX_WAIT_MILLIS);
        assertThat(sizes()).containsExactly(1, 1);
    }

    @Test
    void theBufferIsEmptyAtABarrier() throws Exception {
        feed(record(0, 1, 2));
        harness.prepareSnapshotPreBarrier(1);
        assertThat(sizes()).containsExactly(1);
    }

    @Test
    void edgesOfTwoPassesAreNeverInOneBatch() throws Exception {
        feed(record(0, 1, 2));
        feed(record(1, 1, 2));
        harness.endInput();
        assertThat(batches()).extracting(EdgeBatch::pass).containsExactly(0, 1);
    }

    @Test
    void emitsRejectedRecordsWithABatchOrAlone() throws Exception {
        EdgeBatch onlyRejected = new EdgeBatch();
        onlyRejected.reject(new RejectedRecord("no edge", "edges", 0, 7, null, new byte[] {9}));
        feed(onlyRejected);
        harness.endInput();
        assertThat(batches()).singleElement().satisfies(batch -> {
            assertThat(batch.isEmpty()).isTrue();
            assertThat(batch.rejected())
                    .singleElement()
                    .extracting(RejectedRecord::offset)
                    .isEqualTo(7L);
        });
    }

    private void feed(EdgeBatch batch) throws Exception {
        harness.processElement(new StreamRecord<>(batch));
    }

    private static EdgeBatch record(int pass, long source, long target) {
        EdgeBatch batch = new EdgeBatch(1).setPass(pass);
        batch.add(source, target);
        return batch;
    }

    private List<EdgeBatch> batches() {
        List<EdgeBatch> batches = new ArrayList<>();
        for (Object element : harness.getOutput()) {
            batches.add((EdgeBatch) ((StreamRecord<?>) element).getValue());
        }
        return batches;
    }

    private List<Integer> sizes() {
        return batches().stream().map(EdgeBatch::size).toList();
    }
}
