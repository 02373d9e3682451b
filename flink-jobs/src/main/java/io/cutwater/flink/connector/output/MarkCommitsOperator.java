package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.run.CommitMark;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Adds the mark of each checkpoint to the rows of a writer, as the last row of its transaction. It is a runtime
 * operator, chained to the writer, because a sink does not learn the number of a checkpoint before it ends the
 * transaction.
 */
final class MarkCommitsOperator extends AbstractStreamOperator<OutputRow>
        implements OneInputStreamOperator<OutputRow, OutputRow> {
    @Override
    public void processElement(StreamRecord<OutputRow> row) {
        output.collect(row);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        var task = getRuntimeContext().getTaskInfo();
        CommitMark mark =
                new CommitMark(checkpointId, task.getIndexOfThisSubtask(), task.getNumberOfParallelSubtasks());
        output.collect(new StreamRecord<>(OutputRow.ofCommit(mark.key(), mark.toBytes())));
    }
}
