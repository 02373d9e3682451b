package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.VertexTexts;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Encodes the texts of new vertices for topic {@code ids}. */
final class TextRows implements FlatMapFunction<EdgeBatch, OutputRow> {
    private static final long serialVersionUID = 1;
    private static final byte[] GONE = {};

    @Override
    public void flatMap(EdgeBatch batch, Collector<OutputRow> out) {
        VertexTexts texts = batch.texts();
        for (int i = 0; i < texts.size(); i++) {
            int from = texts.from(i);
            int to = texts.to(i);
            byte[] value = from == to ? GONE : VertexTextCodec.value(texts.bytes(), from, to);
            out.collect(OutputRow.ofText(VertexTextCodec.key(texts.id(i)), value));
        }
    }
}
