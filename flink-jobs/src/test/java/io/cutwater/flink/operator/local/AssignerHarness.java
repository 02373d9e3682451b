package io.cutwater.flink.operator.local;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;

/** An assigner that holds the vertices itself, with its one key. */
public class AssignerHarness
        extends KeyedTwoInputStreamOperatorTestHarness<Integer, EdgeBatch, AssignerMessage, ShardBatch> {
    public AssignerHarness(AssignOptions options, int maxParallelism) throws Exception {
        super(LocalVertices.assigner(options, 0), batch -> 0, message -> 0, Types.INT, maxParallelism, 1, 0);
    }

    public final void processElement(StreamRecord<EdgeBatch> batch) throws Exception {
        processElement1(batch);
    }

    final void command(CommandEvent command) throws Exception {
        processElement2(new StreamRecord<>(AssignerMessage.of(command)));
    }

    final void endInput() throws Exception {
        endInput1();
        endInput2();
    }

    final AssignerOperator<?> assigner() {
        return (AssignerOperator<?>) getOperator();
    }
}
