package io.cutwater.format.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * The columns of a Parquet file that are read: {@code src}, {@code dst} and, if present, {@code weight} and
 * {@code timestamp}.
 */
final class ParquetColumns {
    static final String SOURCE = "src";
    static final String TARGET = "dst";
    static final String WEIGHT = "weight";
    static final String TIMESTAMP = "timestamp";

    private static final Set<PrimitiveTypeName> INTEGERS = Set.of(PrimitiveTypeName.INT64, PrimitiveTypeName.INT32);
    private static final Set<PrimitiveTypeName> DECIMALS = Set.of(PrimitiveTypeName.DOUBLE, PrimitiveTypeName.FLOAT);

    private ParquetColumns() {}

    /** Returns the file's schema without the columns that are not read. */
    static MessageType project(MessageType schema, Path file) throws IOException {
        List<Type> columns = new ArrayList<>();
        for (String name : List.of(SOURCE, TARGET, WEIGHT, TIMESTAMP)) {
            if (schema.containsField(name)) {
                Type column = schema.getType(name);
                check(column, name.equals(WEIGHT), file);
                columns.add(column);
            } else if (name.equals(SOURCE) || name.equals(TARGET)) {
                throw new IOException("%s has no column '%s'. Edges need the columns src and dst; it has: %s."
                        .formatted(
                                file,
                                name,
                                String.join(
                                        ", ",
                                        schema.getFields().stream()
                                                .map(Type::getName)
                                                .toList())));
            }
        }
        return new MessageType(schema.getName(), columns);
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
