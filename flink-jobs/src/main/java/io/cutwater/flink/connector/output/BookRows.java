package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.state.graph.VertexBatch;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

/** Encodes rows of the partition book for their topic; a vertex that is gone has no value. */
final class BookRows extends RichFlatMapFunction<VertexBatch, OutputRow> {
    private static final long serialVersionUID = 1;
    // a null value on the topic
    private static final byte[] GONE = {};

    // Made in open(), which comes before the first batch.
    @SuppressWarnings("NullAway.Init")
    private transient PartitionBookCodec codec;

    @Override
    public void open(OpenContext context) {
        codec = new PartitionBookCodec();
    }

    @Override
    public void flatMap(VertexBatch batch, Collector<OutputRow> out) {
        for (int i = 0; i < batch.size(); i++) {
            boolean isGone = batch.replicaCount(i) == 0 && !batch.isDegreeOnly(i);
            out.collect(OutputRow.ofBook(codec.key(batch, i), isGone ? GONE : codec.value(batch, i)));
        }
    }
}
