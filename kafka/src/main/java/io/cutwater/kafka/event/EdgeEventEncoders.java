package io.cutwater.kafka.event;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.VertexTexts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The encoders of the formats with one edge per record. */
final class EdgeEventEncoders {
    private static final JsonStringEncoder ESCAPING = JsonStringEncoder.getInstance();

    private EdgeEventEncoders() {}

    static byte[] csv(EdgeBatch batch, int from, int to) {
        checkOne(from, to);
        refuseRemoval("csv", batch, from);
        StringBuilder text = new StringBuilder(48);
        text.append(batch.source(from)).append(',').append(batch.target(from));
        double weight = batch.weight(from);
        long timestamp = batch.timestamp(from);
        if (!Double.isNaN(weight) || timestamp != EdgeBatch.NO_TIMESTAMP) {
            text.append(',');
        }
        if (!Double.isNaN(weight)) {
            text.append(weight);
        }
        if (timestamp != EdgeBatch.NO_TIMESTAMP) {
            text.append(',').append(timestamp);
        }
        return ascii(text);
    }

    static byte[] json(EdgeBatch batch, int from, int to) {
        checkOne(from, to);
        StringBuilder text = new StringBuilder(64);
        if (batch.isVertexRemoval(from)) {
            return ascii(text.append("{\"op\":\"remove\",\"vertex\":")
                    .append(batch.source(from))
                    .append('}'));
        }
        text.append(batch.isRemoval(from) ? "{\"op\":\"remove\",\"src\":" : "{\"src\":");
        appendEnd(VertexTexts.sourceOf(from), batch.source(from), batch, text);
        text.append(",\"dst\":");
        appendEnd(VertexTexts.sourceOf(from) + 1, batch.target(from), batch, text);
        if (batch.key(from) != EdgeBatch.NO_KEY) {
            text.append(",\"key\":").append(batch.key(from));
        }
        if (!Double.isNaN(batch.weight(from))) {
            text.append(",\"weight\":").append(batch.weight(from));
        }
        if (batch.timestamp(from) != EdgeBatch.NO_TIMESTAMP) {
            text.append(",\"timestamp\":").append(batch.timestamp(from));
        }
        return text.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Appends the text of an end if the batch has one for each, otherwise the id. */
    private static void appendEnd(int end, long id, EdgeBatch batch, StringBuilder into) {
        VertexTexts texts = batch.texts();
        if (texts.size() == 0) {
            into.append(id);
            return;
        }
        if (end >= texts.size() || texts.position(end) != end) {
            throw new IllegalArgumentException("end %d of the batch has no text, but others have".formatted(end));
        }
        int from = texts.from(end);
        into.append('"');
        ESCAPING.quoteAsString(new String(texts.bytes(), from, texts.to(end) - from, StandardCharsets.UTF_8), into);
        into.append('"');
    }

    static byte[] binary(EdgeBatch batch, int from, int to) {
        checkOne(from, to);
        refuseRemoval("binary", batch, from);
        if (!Double.isNaN(batch.weight(from)) || batch.timestamp(from) != EdgeBatch.NO_TIMESTAMP) {
            throw new IllegalArgumentException("format binary carries no weight and no timestamp, but edge (%d, %d) has"
                            .formatted(batch.source(from), batch.target(from))
                    + " one; use the formats batch, csv or json");
        }
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(batch.source(from))
                .putLong(batch.target(from))
                .array();
    }

    private static void refuseRemoval(String format, EdgeBatch batch, int i) {
        if (batch.isRemoval(i)) {
            throw new IllegalArgumentException(
                    "format %s only adds edges, but (%d, %d) is to be removed; use the formats batch or json"
                            .formatted(format, batch.source(i), batch.target(i)));
        }
    }

    private static void checkOne(int from, int to) {
        if (to != from + 1) {
            throw new IllegalArgumentException("this format holds one edge per record: " + (to - from));
        }
    }

    private static byte[] ascii(StringBuilder text) {
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
