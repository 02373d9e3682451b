package io.cutwater.flink.operator.local;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** An assigner that holds the vertices itself, with its one key. */
public final class AssignerHarness
        extends KeyedTwoInputStreamOperatorTestHarness<Integer, EdgeBatch, AssignerMessage, ShardBatch> {
    public AssignerHarness(AssignOptions options, int maxParallelism) throws Exception {
        super(LocalVertices.assigner(options, 0), batch -> 0, message -> 0, Types.INT, maxParallelism, 1, 0);
    }

    /**
     * Opens an assigner on RocksDB state.
     *
     * @param restored null for a new one
     */
    static AssignerHarness open(AssignOptions options, @Nullable OperatorSubtaskState restored) throws Exception {
        AssignerHarness harness = new AssignerHarness(options, 128);
        harness.setStateBackend(new EmbeddedRocksDBStateBackend());
        harness.setup(ShardBatch.TYPE.serializer());
        if (restored != null) {
            harness.initializeState(restored);
        }
        harness.open();
        return harness;
    }

    public void processElement(StreamRecord<EdgeBatch> batch) throws Exception {
        processElement1(batch);
    }

    void command(CommandEvent command) throws Exception {
        processElement2(new StreamRecord<>(AssignerMessage.of(command)));
    }

    void endInput() throws Exception {
        endInput1();
        endInput2();
    }

    AssignerOperator<?> assigner() {
        return (AssignerOperator<?>) getOperator();
    }

    /** Number of entries of the keyed state. */
    int entries() {
        return ((TestableKeyedStateBackend<?>) assigner().getKeyedStateBackend()).numKeyValueStateEntries();
    }

    /** Returns the emitted edges by shard. */
    Map<Integer, List<String>> shards() {
        Map<Integer, List<String>> shards = new HashMap<>();
        for (Object element : getOutput()) {
            ShardBatch batch = (ShardBatch) ((StreamRecord<?>) element).getValue();
            List<String> edges = shards.computeIfAbsent(batch.shard(), p -> new ArrayList<>());
            for (int i = 0; i < batch.edges().size(); i++) {
                edges.add(batch.edges().source(i) + " " + batch.edges().target(i));
            }
        }
        return shards;
    }

    /** Returns the last reported quality. */
    Quality quality() {
        JobQuality last = null;
        for (StreamRecord<JobQuality> element : getSideOutput(AssignerOperator.QUALITY)) {
            last = element.getValue();
        }
        return last.quality();
    }

    /** Returns the elements of a side output, and removes them. */
    <T> List<T> drain(OutputTag<T> tag) {
        Queue<StreamRecord<T>> records = getSideOutput(tag);
        List<T> values = new ArrayList<>();
        if (records != null) {
            records.forEach(record -> values.add(record.getValue()));
            records.clear();
        }
        return values;
    }
}
