package io.cutwater.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The names of the columns of a Parquet file that make an edge.
 *
 * @param weight null for none
 * @param timestamp null for none
 * @param key null for none
 */
public record ParquetColumns(
        String source,
        String target,
        @Nullable String weight,
        @Nullable String timestamp,
        @Nullable String key) {
    private static final Set<PrimitiveTypeName> INTEGERS = Set.of(PrimitiveTypeName.INT64, PrimitiveTypeName.INT32);
    private static final Set<PrimitiveTypeName> DECIMALS = Set.of(PrimitiveTypeName.DOUBLE, PrimitiveTypeName.FLOAT);

    /** Returns {@code src}, {@code dst} and, if the file has them, {@code weight} and {@code timestamp}. */
    static ParquetColumns usual(MessageType schema) {
        return new ParquetColumns("src", "dst", ifThere("weight", schema), ifThere("timestamp", schema), null);
    }

    private static @Nullable String ifThere(String name, MessageType schema) {
        return schema.containsField(name) ? name : null;
    }

    /** Returns the file's schema without the columns that are not read. */
    MessageType project(MessageType schema, Path file) throws IOException {
        Map<String, Type> columns = new LinkedHashMap<>();
        for (String name : Arrays.asList(source, target, weight, timestamp, key)) {
            if (name == null) {
                continue;
            }
            if (!schema.containsField(name)) {
                throw new IOException("%s has no column '%s'. Edges need the columns %s and %s; it has: %s."
                        .formatted(
                                file,
                                name,
                                source,
                                target,
                                String.join(
                                        ", ",
                                        schema.getFields().stream()
                                                .map(Type::getName)
                                                .toList())));
            }
            Type column = schema.getType(name);
            check(column, name.equals(weight), file);
            columns.put(name, column);
        }
        return new MessageType(schema.getName(), List.copyOf(columns.values()));
    }

    private static void check(Type column, boolean isWeight, Path file) throws IOException {
        boolean isFit = column.isPrimitive()
                && !column.isRepetition(Type.Repetition.REPEATED)
                && (isWeight ? DECIMALS : INTEGERS)
                        .contains(column.asPrimitiveType().getPrimitiveTypeName())
                && !(column.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation integer
                        && !integer.isSigned());
        if (!isFit) {
            throw new IOException("%s: the column '%s' must be %s, not: %s."
                    .formatted(
                            file, column.getName(), isWeight ? "double or float" : "a signed int64 or int32", column));
        }
    }
}
