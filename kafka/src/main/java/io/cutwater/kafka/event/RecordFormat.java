package io.cutwater.kafka.event;

import io.cutwater.kafka.event.mapped.ChangeEventDecoder;
import io.cutwater.kafka.event.mapped.ChangedRowDecoder;
import io.cutwater.kafka.event.mapped.MappedEdgeDecoder;
import io.cutwater.kafka.event.mapped.Tombstones;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.JsonFieldReader;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** How the records of a topic that do not name their format hold edges. */
public sealed interface RecordFormat extends Serializable {
    /** The name of {@link Changes} on the command line. */
    String DEBEZIUM_JSON = "debezium-json";

    /**
     * Creates a decoder. Not thread-safe: use one decoder per thread.
     *
     * @param refusalOfRemovals why a record with a removal is rejected, as a sentence; null to accept removals
     */
    EdgeEventDecoder decoder(@Nullable String refusalOfRemovals);

    /** A format of our own. */
    record Own(EdgeEventFormat format) implements RecordFormat {
        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals) {
            return refusalOfRemovals == null ? format.decoder() : format.decoderRefusingRemovals(refusalOfRemovals);
        }
    }

    /** JSON objects of which some fields make an added edge. */
    record Fields(FieldMapping mapping) implements RecordFormat {
        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals) {
            return EdgeEventDecoders.rejecting(
                    new MappedEdgeDecoder(mapping, tree -> new JsonFieldReader(tree, false)));
        }
    }

    /**
     * Changes of a table of which each row is an edge, as Debezium writes them: in an envelope if the fields are mapped
     * inside {@code after}, else rows without one.
     *
     * @param ignoresTruncate whether edges stay in the graph when the table was truncated; otherwise that is an error
     * @param tombstones what a record without a value means, of rows without an envelope
     */
    record Changes(FieldMapping mapping, boolean ignoresTruncate, Tombstones tombstones) implements RecordFormat {
        /** @throws IllegalArgumentException if the fields are not in one row; the message names the options */
        public Changes {
            FieldPath source = mapping.source();
            FieldPath target = mapping.target();
            FieldPath weight = mapping.weight();
            boolean isEnvelope = source.isIn(ChangeEventDecoder.AFTER);
            if (target.isIn(ChangeEventDecoder.AFTER) != isEnvelope
                    || weight != null && weight.isIn(ChangeEventDecoder.AFTER) != isEnvelope) {
                throw new IllegalArgumentException(
                        "--source, --target and --weight must be in one row: each begins with after., or none does,"
                                + " for rows without an envelope");
            }
            if (source.isIn(ChangeEventDecoder.BEFORE) || target.isIn(ChangeEventDecoder.BEFORE)) {
                throw new IllegalArgumentException(
                        "--source and --target name fields of after; the same ones of before are read by themselves");
            }
        }

        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals) {
            return EdgeEventDecoders.changes(
                    mapping.source().isIn(ChangeEventDecoder.AFTER)
                            ? new ChangeEventDecoder(mapping, tree -> new JsonFieldReader(tree, true), ignoresTruncate)
                            : new ChangedRowDecoder(mapping, tree -> new JsonFieldReader(tree, true), tombstones),
                    refusalOfRemovals);
        }
    }

    /**
     * Parses the words of a user.
     *
     * @param format the name of an {@link EdgeEventFormat}, or {@value #DEBEZIUM_JSON}
     * @param onTruncate {@code fail} or {@code ignore}
     * @param tombstones a name of {@link Tombstones}
     * @throws IllegalArgumentException if they are unknown or do not fit; the message names the option
     */
    static RecordFormat parse(String format, @Nullable FieldMapping mapping, String onTruncate, String tombstones) {
        Tombstones ofRows = Tombstones.of(tombstones);
        if (!onTruncate.equals("fail") && !onTruncate.equals("ignore")) {
            throw new IllegalArgumentException("--on-truncate must be fail or ignore: '%s'".formatted(onTruncate));
        }
        boolean ignoresTruncate = onTruncate.equals("ignore");
        if (format.equals(DEBEZIUM_JSON)) {
            if (mapping == null) {
                throw new IllegalArgumentException(
                        "--event-format %s needs --source and --target, the fields with the ends of an edge, such as after.payer"
                                .formatted(format));
            }
            return new Changes(mapping, ignoresTruncate, ofRows);
        }
        if (ignoresTruncate || ofRows != Tombstones.REJECT) {
            throw new IllegalArgumentException("%s is for --event-format %s; leave it out"
                    .formatted(ignoresTruncate ? "--on-truncate" : "--tombstones", DEBEZIUM_JSON));
        }
        EdgeEventFormat own = own(format);
        if (mapping == null) {
            return new Own(own);
        }
        if (own != EdgeEventFormat.JSON) {
            throw new IllegalArgumentException(
                    "--source and --target are for --event-format json or %s, not %s; leave them out"
                            .formatted(DEBEZIUM_JSON, own));
        }
        return new Fields(mapping);
    }

    private static EdgeEventFormat own(String format) {
        try {
            return EdgeEventFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--event-format must be csv, json, binary, batch or %s: '%s'".formatted(DEBEZIUM_JSON, format), e);
        }
    }
}
