package io.cutwater.kafka.event;

import io.cutwater.format.text.EdgeTextParser;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the values of topic {@code edges} are written; the name on the command line is the constant in lower case. */
public enum EdgeEventFormat {
    /** One edge as text, see {@link EdgeTextParser}; it is added. */
    CSV,
    /**
     * One edge as {@code {"op":"add","src":1,"dst":2,"weight":0.5,"timestamp":3}}; op, weight and timestamp optional.
     * With {@code "op":"remove"} it takes an edge away.
     */
    JSON,
    /** One edge as two big-endian 64-bit integers: source, target; it is added. */
    BINARY,
    /** Many edges, see {@link EdgeBatchCodec}. */
    BATCH;

    /** Header of a record that names its format, in ASCII; {@code ingest} writes it. */
    public static final String HEADER = "cutwater-format";

    private static final EdgeEventFormat[] ALL = values();

    private final byte[] header = name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);

    /**
     * The format of that name, in any case.
     *
     * @throws IllegalArgumentException with the known names if there is no such format
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

    /** The format that the value of a header names; null if it names none. */
    static @Nullable EdgeEventFormat ofHeader(byte @Nullable [] value) {
        for (EdgeEventFormat format : ALL) {
            if (Arrays.equals(format.header, value)) {
                return format;
            }
        }
        return null;
    }

    /** The value of header {@value #HEADER}; not to be changed. */
    public byte[] header() {
        return header;
    }

    /** A new decoder, which takes removals; one decoder serves one thread. */
    public EdgeEventDecoder decoder() {
        return newDecoder(null);
    }

    /**
     * A new decoder which rejects every record that takes an edge away, of {@link #BATCH} the whole record with all
     * that it adds; one decoder serves one thread.
     *
     * @param reason of the rejection, one sentence
     */
    public EdgeEventDecoder decoderRefusingRemovals(String reason) {
        return newDecoder(reason);
    }

    private EdgeEventDecoder newDecoder(@Nullable String refusalOfRemovals) {
        return switch (this) {
            case CSV -> EdgeEventDecoders.csv();
            case JSON -> EdgeEventDecoders.json(refusalOfRemovals);
            case BINARY -> EdgeEventDecoders.binary();
            case BATCH -> EdgeEventDecoders.batch(refusalOfRemovals);
        };
    }

    /** A new encoder; one encoder serves one thread. */
    public EdgeEventEncoder encoder() {
        return switch (this) {
            case CSV -> EdgeEventEncoders::csv;
            case JSON -> EdgeEventEncoders::json;
            case BINARY -> EdgeEventEncoders::binary;
            case BATCH -> EdgeBatchCodec::encode;
        };
    }

    /** Whether a record can take an edge away; the others only add. */
    public boolean holdsRemovals() {
        return this == JSON || this == BATCH;
    }

    /** Whether one record holds many edges. */
    public boolean holdsManyEdges() {
        return this == BATCH;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
