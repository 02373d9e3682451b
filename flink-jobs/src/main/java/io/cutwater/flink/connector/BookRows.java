package io.cutwater.flink.connector;

import io.cutwater.kafka.record.PartitionBookCodec;
import io.cutwater.state.graph.VertexBatch;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.Collector;

/** Rows of the partition book as they go to their topic: key and value of each, no bytes of a vertex that is gone. */
final class BookRows extends RichFlatMapFunction<VertexBatch, Tuple2<byte[], byte[]>> {
    static final TypeInformation<Tuple2<byte[], byte[]>> TYPE =
            Types.TUPLE(Types.PRIMITIVE_ARRAY(Types.BYTE), Types.PRIMITIVE_ARRAY(Types.BYTE));

    private static final long serialVersionUID = 1;
    // A null value on the topic; a tuple on the wire cannot hold one.
    private static final byte[] GONE = {};

    // Made in open(), which comes before the first batch.
    @SuppressWarnings("NullAway.Init")
    private transient PartitionBookCodec codec;

    @Override
    public void open(OpenContext context) {
        codec = new PartitionBookCodec();
    }

    @Override
    public void flatMap(VertexBatch batch, Collector<Tuple2<byte[], byte[]>> out) {
        for (int i = 0; i < batch.size(); i++) {
            out.collect(Tuple2.of(codec.key(batch, i), batch.replicaCount(i) == 0 ? GONE : codec.value(batch, i)));
        }
    }
}
