package io.cutwater.kafka.event;

import io.cutwater.format.text.EdgeTextParser;
import io.cutwater.kafka.textid.TextEnds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats of the values of topic {@code edges}; the name on the command line is the constant in lower case. */
public enum EdgeEventFormat {
    /** One added edge as text, see {@link EdgeTextParser}. */
    CSV,
    /**
     * One edge as {@code {"op":"add","src":1,"dst":2,"weight":0.5,"timestamp":3}}; op, weight and timestamp are
     * optional. {@code "op":"remove"} removes one copy of the edge, and {@code {"op":"remove","vertex":1}} a vertex
     * with all its edges. Where edges have keys, {@code key} is the key, by which an edge is replaced and removed.
     */
    JSON,
    /** One added edge as two big-endian 64-bit integers: source, target. */
    BINARY,
    /** Many edges, see {@link EdgeBatchCodec}. */
    BATCH;

    /** The header of a record that names its format, in ASCII; {@code ingest} writes it. */
    public static final String HEADER = "cutwater-format";

    private static final EdgeEventFormat[] ALL = values();

    private final byte[] header = name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);

    /**
     * Returns the format with this name, in any case.
     *
     * @throws IllegalArgumentException if the name is unknown; the message lists the names
     */
    public static EdgeEventFormat of(String name) {
        for (EdgeEventFormat format : values()) {
            if (format.toString().equals(name.toLowerCase(Locale.ROOT))) {
                return format;
            }
        }
        String names = Arrays.stream(values()).map(EdgeEventFormat::toString).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("edge event format must be one of %s: %s".formatted(names, name));
    }

    /** Returns the format named by the value of a header; null if the name is unknown. */
    static @Nullable EdgeEventFormat ofHeader(byte @Nullable [] value) {
        for (EdgeEventFormat format : ALL) {
            if (Arrays.equals(format.header, value)) {
                return format;
            }
        }
        return null;
    }

    /** Returns the value of header {@value #HEADER}; do not modify it. */
    public byte[] header() {
        return header;
    }

    /** Creates a decoder of integers that accepts removals. Not thread-safe: use one decoder per thread. */
    public EdgeEventDecoder decoder() {
        return decoder(null, null, false);
    }

    /**
     * Creates a decoder. Not thread-safe: use one decoder per thread.
     *
     * @param refusalOfRemovals why a record with a removal is rejected, of {@link #BATCH} the whole record, including
     *     its additions; null to accept removals
     * @param texts turns the texts of ends into ids; null for ends that are integers
     * @param hasKeys whether each edge must have a key
     */
    EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts, boolean hasKeys) {
        if (hasKeys && !holdsKeys()) {
            return EdgeEventDecoders.rejecting(
                    "the record is in format %s, which has no keys of edges, and the job has --edge-key"
                            .formatted(this));
        }
        if (texts != null && !holdsText()) {
            return EdgeEventDecoders.rejecting(
                    "the record is in format %s, which holds integers, and the job has --ids text".formatted(this));
        }
        return switch (this) {
            case CSV -> EdgeEventDecoders.csv(texts);
            case JSON -> EdgeEventDecoders.json(refusalOfRemovals, texts, hasKeys);
            case BINARY -> EdgeEventDecoders.binary();
            case BATCH -> EdgeEventDecoders.batch(refusalOfRemovals, hasKeys);
        };
    }

    /** Creates an encoder. Not thread-safe: use one encoder per thread. */
    public EdgeEventEncoder encoder() {
        return switch (this) {
            case CSV -> EdgeEventEncoders::csv;
            case JSON -> EdgeEventEncoders::json;
            case BINARY -> EdgeEventEncoders::binary;
            case BATCH -> EdgeBatchCodec::encode;
        };
    }

    /** Returns whether a record can be a removal; records of the other formats only add. */
    public boolean holdsRemovals() {
        return this == JSON || this == BATCH;
    }

    /** Returns whether an edge can have a key. */
    public boolean holdsKeys() {
        return this == JSON || this == BATCH;
    }

    /** Returns whether the ends of an edge may be text. */
    boolean holdsText() {
        return this == CSV || this == JSON;
    }

    /** Returns whether one record holds many edges. */
    public boolean holdsManyEdges() {
        return this == BATCH;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
