package io.cutwater.kafka.field.avro;

import io.cutwater.kafka.field.FieldTree;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A type of a schema, with the fields of a {@link FieldTree} that its values fill. */
final class AvroType {
    private static final AvroType[] NO_PARTS = {};

    final Schema.Type kind;

    /** The number of the wanted field that this is a value of; -1 for none. */
    final int field;

    /** Types of the fields of a record, the branches of a union, or the items of a list or map. */
    AvroType[] parts = NO_PARTS;

    /** Names of the values of an enum. */
    final List<String> symbols;

    /** Number of bytes of a fixed. */
    final int bytes;

    /** Digits behind the point of a decimal; -1 for bytes without that meaning. */
    final int scale;

    /** Whether every value takes no bytes at all; false while the type is made. */
    private boolean isEmpty;

    private AvroType(Schema schema, int field) {
        kind = schema.getType();
        this.field = field;
        symbols = kind == Schema.Type.ENUM ? schema.getEnumSymbols() : List.of();
        bytes = kind == Schema.Type.FIXED ? schema.getFixedSize() : 0;
        scale = schema.getLogicalType() instanceof LogicalTypes.Decimal decimal ? decimal.getScale() : -1;
    }

    static AvroType of(Schema schema, FieldTree tree) {
        return of(schema, tree.root(), new IdentityHashMap<>());
    }

    /**
     * Makes a type.
     *
     * @param wanted null for a value that is skipped
     * @param skipped the types of skipped values so far, which may contain themselves
     */
    private static AvroType of(Schema schema, FieldTree.@Nullable Node wanted, Map<Schema, AvroType> skipped) {
        if (wanted == null) {
            AvroType known = skipped.get(schema);
            if (known != null) {
                return known;
            }
        }
        AvroType type = new AvroType(schema, wanted == null ? -1 : wanted.index());
        if (wanted == null) {
            skipped.put(schema, type);
        }
        type.parts = parts(schema, wanted, skipped);
        type.isEmpty = switch (type.kind) {
            case NULL -> true;
            case FIXED -> type.bytes == 0;
            case RECORD -> List.of(type.parts).stream().allMatch(AvroType::isEmpty);
            default -> false;
        };
        return type;
    }

    private static AvroType[] parts(Schema schema, FieldTree.@Nullable Node wanted, Map<Schema, AvroType> skipped) {
        return switch (schema.getType()) {
            case RECORD ->
                schema.getFields().stream()
                        .map(field -> of(field.schema(), wanted == null ? null : wanted.child(field.name()), skipped))
                        .toArray(AvroType[]::new);
            case UNION ->
                schema.getTypes().stream()
                        .map(branch -> of(branch, wanted, skipped))
                        .toArray(AvroType[]::new);
            case ARRAY -> new AvroType[] {of(schema.getElementType(), null, skipped)};
            case MAP -> new AvroType[] {of(schema.getValueType(), null, skipped)};
            default -> NO_PARTS;
        };
    }

    boolean isEmpty() {
        return isEmpty;
    }
}
