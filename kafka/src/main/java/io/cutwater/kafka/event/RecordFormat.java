package io.cutwater.kafka.event;

import io.cutwater.kafka.event.mapped.ChangeEventDecoder;
import io.cutwater.kafka.event.mapped.ChangedRowDecoder;
import io.cutwater.kafka.event.mapped.MappedEdgeDecoder;
import io.cutwater.kafka.event.mapped.OnTruncate;
import io.cutwater.kafka.event.mapped.Tombstones;
import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldSchema;
import io.cutwater.kafka.textid.TextEnds;
import io.cutwater.kafka.textid.TextIds;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** How the records of a topic that do not name their format hold edges. */
public sealed interface RecordFormat extends Serializable {
    /**
     * Creates a decoder. Not thread-safe: use one decoder per thread.
     *
     * @param refusalOfRemovals why a record with a removal is rejected, as a sentence; null to accept removals
     */
    default EdgeEventDecoder decoder(@Nullable String refusalOfRemovals) {
        TextIds ids = textIds();
        return decoder(refusalOfRemovals, ids == null ? null : ids.ends());
    }

    /**
     * Creates a decoder of records whose ends are text. Not thread-safe: use one decoder per thread.
     *
     * @param refusalOfRemovals why a record with a removal is rejected, as a sentence; null to accept removals
     * @param texts turns the texts of ends into ids; null for ends that are integers
     */
    EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts);

    /** Returns how ids are made of text; null for ids that are integers. */
    default @Nullable TextIds textIds() {
        return null;
    }

    /**
     * Checks the mapped fields against what is known of the records of a topic.
     *
     * @throws IllegalArgumentException if a field does not exist, or cannot hold an end; the message names the option
     * @throws IllegalStateException if a schema registry does not answer; the message is meant for users
     */
    default void check(String topic) {}

    /** Returns whether edges have keys, by which they are replaced and removed. */
    default boolean hasKeys() {
        return false;
    }

    /** Returns whether a record may remove all edges. */
    default boolean removesAll() {
        return false;
    }

    /**
     * A format of our own.
     *
     * @param hasKeys whether each edge has a key
     */
    record Own(EdgeEventFormat format, boolean hasKeys) implements RecordFormat {
        /** Creates the format of edges without keys. */
        public Own(EdgeEventFormat format) {
            this(format, false);
        }

        /** @throws IllegalArgumentException if edges in the format have no keys; the message names the option */
        public Own {
            if (hasKeys && !format.holdsKeys()) {
                throw new IllegalArgumentException(
                        "--edge-key is for records that hold a key, and --event-format %s does not; choose json, batch or a format with --source and --target"
                                .formatted(format));
            }
        }

        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts) {
            return format.decoder(refusalOfRemovals, texts, hasKeys);
        }
    }

    /**
     * Another format whose ends are text.
     *
     * @param format that can hold text
     */
    record Texts(RecordFormat format, TextIds textIds) implements RecordFormat {
        /** @throws IllegalArgumentException if the format holds integers only; the message names the option */
        public Texts {
            if (format instanceof Own own && !own.format().holdsText()) {
                throw new IllegalArgumentException(
                        "--ids text is for formats that hold text, and --event-format %s holds integers; choose csv, json or a format with --source and --target"
                                .formatted(own.format()));
            }
        }

        @Override
        public boolean hasKeys() {
            return format.hasKeys();
        }

        @Override
        public boolean removesAll() {
            return format.removesAll();
        }

        @Override
        public void check(String topic) {
            format.check(topic);
        }

        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts) {
            return format.decoder(refusalOfRemovals, texts);
        }
    }

    /** Records of which some fields make an added edge. */
    record Fields(FieldMapping mapping, FieldEncoding encoding) implements RecordFormat {
        @Override
        public boolean hasKeys() {
            return mapping.edgeKey() != null;
        }

        @Override
        public void check(String topic) {
            FieldSchema schema = encoding.schema(topic);
            if (schema != null) {
                mapping.check(schema);
            }
        }

        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts) {
            return EdgeEventDecoders.rejecting(new MappedEdgeDecoder(mapping, encoding, texts));
        }
    }

    /**
     * Changes of a table of which each row is an edge, as Debezium writes them: in an envelope if the fields are mapped
     * inside {@code after}, else rows without one.
     *
     * @param onTruncate what a truncated table does to the edges
     * @param tombstones what a record without a value means, of rows without an envelope
     */
    record Changes(FieldMapping mapping, FieldEncoding encoding, OnTruncate onTruncate, Tombstones tombstones)
            implements RecordFormat {
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
            FieldPath key = mapping.edgeKey();
            if (key != null
                    && !key.equals(FieldMapping.RECORD_KEY)
                    && key.isIn(ChangeEventDecoder.AFTER) != isEnvelope) {
                throw new IllegalArgumentException(
                        "--edge-key must be in the row of --source and --target, or :key for the key of the record");
            }
            if (onTruncate == OnTruncate.REMOVE && (key == null || !isEnvelope)) {
                throw new IllegalArgumentException(
                        "--on-truncate remove needs --edge-key, and envelopes (--source after.COLUMN): without keys the"
                                + " edges of the table are not known, and rows without envelopes tell no truncate");
            }
            if (FieldMapping.RECORD_KEY.equals(key) && tombstones != Tombstones.REJECT) {
                throw new IllegalArgumentException(
                        "--tombstones is not for --edge-key :key, with which a record without a value removes the edge of its key; leave it out");
            }
        }

        @Override
        public boolean hasKeys() {
            return mapping.edgeKey() != null;
        }

        @Override
        public boolean removesAll() {
            return onTruncate == OnTruncate.REMOVE;
        }

        @Override
        public void check(String topic) {
            FieldSchema schema = encoding.schema(topic);
            if (schema != null) {
                mapping.check(schema);
                String op = isEnvelope() ? ChangeEventDecoder.OP : ChangedRowDecoder.OP;
                boolean needsOp = isEnvelope() || !hasKeys();
                if (needsOp && schema.types(FieldPath.parse(op)).isEmpty()) {
                    throw new IllegalArgumentException(
                            "--event-format: the schema has no field %s, so its records are no changes that Debezium writes; read them with another format"
                                    .formatted(op));
                }
            }
        }

        private boolean isEnvelope() {
            return mapping.source().isIn(ChangeEventDecoder.AFTER);
        }

        @Override
        public EdgeEventDecoder decoder(@Nullable String refusalOfRemovals, @Nullable TextEnds texts) {
            return EdgeEventDecoders.changes(
                    isEnvelope()
                            ? new ChangeEventDecoder(mapping, encoding, onTruncate, texts)
                            : new ChangedRowDecoder(mapping, encoding, tombstones, texts),
                    refusalOfRemovals,
                    onTruncate == OnTruncate.REMOVE);
        }
    }
}
