package io.cutwater.kafka.event;

import io.cutwater.format.text.Excerpt;
import io.cutwater.kafka.event.mapped.TruncatedTableException;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of topic {@code edges}, each in the format that its header {@value EdgeEventFormat#HEADER} names;
 * records without this header are decoded in the format of the job. Not thread-safe: use one decoder per thread.
 */
public final class EdgeRecordDecoder {
    private static final byte[] NOTHING = {};

    private static final String REMOVES_NO_VERTICES =
            "the record removes a vertex, which a live job does only if it was submitted with --remove-vertices";

    private final EdgeEventDecoder unnamed;
    private final @Nullable TextEnds texts;
    private final boolean hasKeys;
    private final @Nullable String refusalOfRemovals;
    private final boolean removesVertices;
    private final Map<EdgeEventFormat, EdgeEventDecoder> decoders = new EnumMap<>(EdgeEventFormat.class);

    /** Creates a decoder that rejects removals of vertices; see the other constructor. */
    public EdgeRecordDecoder(RecordFormat unnamed, @Nullable String refusalOfRemovals) {
        this(unnamed, refusalOfRemovals, false);
    }

    /**
     * Creates a decoder.
     *
     * @param unnamed format of the records without the header
     * @param refusalOfRemovals why a record with a removal is rejected, as a sentence; null to accept removals
     * @param removesVertices whether also removals of vertices are accepted
     */
    public EdgeRecordDecoder(RecordFormat unnamed, @Nullable String refusalOfRemovals, boolean removesVertices) {
        this.removesVertices = removesVertices;
        TextIds ids = unnamed.textIds();
        // One for all formats: what it has sent lately is what the batches of this decoder hold.
        texts = ids == null ? null : ids.ends();
        this.unnamed = unnamed.decoder(refusalOfRemovals, texts);
        hasKeys = unnamed.hasKeys();
        this.refusalOfRemovals = refusalOfRemovals;
    }

    /**
     * Decodes a record like {@link EdgeEventDecoder#decode}; a record whose header names no known format is rejected.
     *
     * @throws TruncatedTableException if the record tells that a table was truncated, and the format does not ignore it
     */
    public void decode(ConsumerRecord<byte[], byte[]> record, EdgeBatch into) {
        Header header = record.headers().lastHeader(EdgeEventFormat.HEADER);
        EdgeEventFormat format = header == null ? null : EdgeEventFormat.ofHeader(header.value());
        if (header != null && format == null) {
            reject(record, unknown(header.value()), into);
            return;
        }
        EdgeEventDecoder decoder = format == null ? unnamed : decoders.computeIfAbsent(format, this::decoder);
        int first = into.size();
        decoder.decode(record, into);
        if (texts != null) {
            // For dead letters of texts that turn out later to have the id of another one.
            for (int row = first; row < into.size(); row++) {
                into.texts().records().begin(row, record.partition(), record.offset());
            }
        }
        // Such a record has no other row.
        if (!removesVertices && into.hasRemovals() && into.isVertexRemoval(into.size() - 1)) {
            into.removeLast();
            reject(record, REMOVES_NO_VERTICES, into);
        }
    }

    private EdgeEventDecoder decoder(EdgeEventFormat format) {
        return format.decoder(refusalOfRemovals, texts, hasKeys);
    }

    private static String unknown(byte @Nullable [] name) {
        return "header %s must be csv, json, binary or batch: %s"
                .formatted(
                        EdgeEventFormat.HEADER,
                        name == null ? "it has no value" : Excerpt.of(new String(name, StandardCharsets.UTF_8)));
    }

    private static void reject(ConsumerRecord<byte[], byte[]> record, String reason, EdgeBatch into) {
        byte[] value = record.value() == null ? NOTHING : record.value();
        into.reject(
                new RejectedRecord(reason, record.topic(), record.partition(), record.offset(), record.key(), value));
    }
}
