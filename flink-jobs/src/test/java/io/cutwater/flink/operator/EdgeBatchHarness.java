package io.cutwater.flink.operator;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/** Runs one task of an operator that changes batches of edges, with its state in RocksDB. */
public class EdgeBatchHarness extends KeyedOneInputStreamOperatorTestHarness<Integer, EdgeBatch, EdgeBatch> {
    /** Number of key groups. */
    public static final int BUCKETS = 128;

    /** The state of a job that had no such operator. */
    public static final OperatorSubtaskState OF_OTHERS =
            OperatorSubtaskState.builder().build();

    /** Creates a harness that is not restored or opened yet. */
    public EdgeBatchHarness(OneInputStreamOperator<EdgeBatch, EdgeBatch> operator, int buckets) throws Exception {
        super(operator, batch -> 0, Types.INT, buckets, 1, 0);
        setStateBackend(new EmbeddedRocksDBStateBackend());
        setup(GraphTypes.EDGE_BATCH.serializer());
    }

    /** @param restored null for the first attempt of a job */
    public static EdgeBatchHarness open(
            OneInputStreamOperator<EdgeBatch, EdgeBatch> operator, @Nullable OperatorSubtaskState restored)
            throws Exception {
        EdgeBatchHarness harness = new EdgeBatchHarness(operator, BUCKETS);
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    /** Returns the batches that the operator emits for one. */
    public List<EdgeBatch> batches(EdgeBatch rows) throws Exception {
        processElement(new StreamRecord<>(rows));
        List<EdgeBatch> batches = new ArrayList<>();
        for (Object output : getOutput()) {
            batches.add((EdgeBatch) ((StreamRecord<?>) output).getValue());
        }
        getOutput().clear();
        return batches;
    }

    /**
     * Returns the emitted rows as {@code +1 2}, {@code -1 2}, and {@code x7} for the removal of a vertex, {@code x7
     * known} if it had edges; and the reasons of rejected records.
     */
    public List<String> outputs(EdgeBatch rows) throws Exception {
        List<String> all = new ArrayList<>();
        for (EdgeBatch batch : batches(rows)) {
            for (int i = 0; i < batch.size(); i++) {
                if (batch.isVertexRemoval(i)) {
                    all.add("x" + batch.source(i) + (batch.place(i) == EdgeBatch.TAKEN_AWAY ? " known" : ""));
                } else {
                    all.add((batch.isRemoval(i) ? "-" : "+") + batch.source(i) + " " + batch.target(i));
                }
            }
            batch.rejected().forEach(rejected -> all.add(rejected.reason()));
        }
        return all;
    }
}
