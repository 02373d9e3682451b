package io.cutwater.kafka.event;

import io.cutwater.format.text.EdgeTextParser;
import io.cutwater.kafka.event.mapped.RecordDecoder;
import io.cutwater.kafka.event.mapped.TruncatedTableException;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The decoders of each format. */
final class EdgeEventDecoders {
    private static final byte[] NOTHING = {};
    private static final int BINARY_EDGE_BYTES = 2 * Long.BYTES;

    private EdgeEventDecoders() {}

    /** Decodes the value of a record that must have one. */
    @FunctionalInterface
    interface ValueDecoder {
        /** Appends the edges and returns null, or appends nothing and returns the reason. */
        @Nullable String decode(byte[] value, EdgeBatch into);
    }

    /** @param texts turns the texts of ends into ids; null for ends that are integers */
    static EdgeEventDecoder csv(@Nullable TextEnds texts) {
        EdgeTextParser parser = new EdgeTextParser();
        if (texts != null) {
            return rejecting(
                    (value, into) -> parser.parse(value, 0, value.length, texts, into) ? null : parser.reason());
        }
        return rejecting((value, into) -> parser.parse(value, 0, value.length, into) ? null : parser.reason());
    }

    /**
     * @param refusalOfRemovals why a removal is rejected; null to accept removals
     * @param texts turns the texts of ends into ids; null for ends that are integers
     * @param hasKeys whether each edge must have a key
     */
    static EdgeEventDecoder json(@Nullable String refusalOfRemovals, @Nullable TextEnds texts, boolean hasKeys) {
        return rejecting(new JsonEdgeDecoder(refusalOfRemovals, texts, hasKeys));
    }

    /** Rejects every record. */
    static EdgeEventDecoder rejecting(String reason) {
        return rejecting((value, into) -> reason);
    }

    static EdgeEventDecoder binary() {
        return rejecting(EdgeEventDecoders::decodeBinary);
    }

    /**
     * @param refusalOfRemovals why a record with a removal is rejected; null to accept removals
     * @param hasKeys whether each edge must have a key; else none may have one
     */
    static EdgeEventDecoder batch(@Nullable String refusalOfRemovals, boolean hasKeys) {
        return rejecting((value, into) -> decodeBatch(value, into, refusalOfRemovals, hasKeys));
    }

    private static @Nullable String decodeBinary(byte[] value, EdgeBatch into) {
        if (value.length != BINARY_EDGE_BYTES) {
            return "a binary edge takes %d bytes, but there are %d".formatted(BINARY_EDGE_BYTES, value.length);
        }
        ByteBuffer edge = ByteBuffer.wrap(value);
        into.add(edge.getLong(), edge.getLong());
        return null;
    }

    private static @Nullable String decodeBatch(
            byte[] value, EdgeBatch into, @Nullable String refusalOfRemovals, boolean hasKeys) {
        try {
            EdgeBatchCodec.check(value);
            if (EdgeBatchCodec.hasKeys(value) && !hasKeys) {
                return "the edges of the batch have keys, which only a job with --edge-key takes; send it without";
            }
            if (hasKeys && !EdgeBatchCodec.hasKeyOfEachEdge(value)) {
                return "an edge of the batch has no key, and the job has --edge-key; send it with keys (version 2)";
            }
            if (refusalOfRemovals != null && EdgeBatchCodec.hasRemovals(value)) {
                return refusalOfRemovals;
            }
            EdgeBatchCodec.decode(value, into);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static EdgeEventDecoder rejecting(ValueDecoder decoder) {
        return rejecting(
                (key, value, headers, into) -> value == null ? "the record has no value" : decoder.decode(value, into));
    }

    /**
     * @param refusalOfRemovals why a record with a removal is rejected; null to accept removals
     * @param removesAll whether a record may remove all edges, so that the order of all records counts
     */
    static EdgeEventDecoder changes(RecordDecoder decoder, @Nullable String refusalOfRemovals, boolean removesAll) {
        EdgeEventDecoder rejecting = changes(decoder, refusalOfRemovals);
        return !removesAll
                ? rejecting
                : (record, into) -> {
                    if (record.partition() > 0) {
                        throw TruncatedTableException.outOfOrder(record.topic(), record.partition());
                    }
                    rejecting.decode(record, into);
                };
    }

    private static EdgeEventDecoder changes(RecordDecoder decoder, @Nullable String refusalOfRemovals) {
        if (refusalOfRemovals == null) {
            return rejecting(decoder);
        }
        EdgeBatch decoded = new EdgeBatch();
        return rejecting((key, value, headers, into) -> {
            decoded.clear();
            String reason = decoder.decode(key, value, headers, decoded);
            if (reason == null && decoded.hasRemovals()) {
                into.texts().addAll(decoded.texts(), into.size()); // they are not told again
                return refusalOfRemovals;
            }
            into.addAll(decoded);
            return reason;
        });
    }

    static EdgeEventDecoder rejecting(RecordDecoder decoder) {
        return (record, into) -> {
            String reason;
            try {
                reason = decoder.decode(record.key(), record.value(), record.headers(), into);
            } catch (TruncatedTableException e) {
                throw e.at(record.topic(), record.partition(), record.offset());
            }
            if (reason != null) {
                byte[] original = record.value() == null ? NOTHING : record.value();
                into.reject(new RejectedRecord(
                        reason, record.topic(), record.partition(), record.offset(), record.key(), original));
            }
        };
    }
}
