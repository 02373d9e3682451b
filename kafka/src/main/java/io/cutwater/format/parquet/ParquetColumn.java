package io.cutwater.format.parquet;

import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Copies runs of one column of a row group into an array of primitives. */
final class ParquetColumn {
    private final ColumnReader reader;
    private final PrimitiveTypeName type;
    private final int present;

    ParquetColumn(ColumnReader reader) {
        this.reader = reader;
        type = reader.getDescriptor().getPrimitiveType().getPrimitiveTypeName();
        present = reader.getDescriptor().getMaxDefinitionLevel();
    }

    void skip(long count) {
        for (long i = 0; i < count; i++) {
            if (reader.getCurrentDefinitionLevel() == present) {
                reader.skip();
            }
            reader.consume();
        }
    }

    /** @return whether any of the values is null; {@code nulls} says which */
    boolean read(long[] into, int count, boolean[] nulls) {
        boolean hasNulls = false;
        boolean isWide = type == PrimitiveTypeName.INT64;
        for (int i = 0; i < count; i++) {
            boolean isNull = reader.getCurrentDefinitionLevel() < present;
            if (!isNull) {
                into[i] = isWide ? reader.getLong() : reader.getInteger();
            }
            nulls[i] = isNull;
            hasNulls |= isNull;
            reader.consume();
        }
        return hasNulls;
    }

    /** Reads integers; {@code none} replaces null. */
    void read(long[] into, int count, long none) {
        boolean isWide = type == PrimitiveTypeName.INT64;
        for (int i = 0; i < count; i++) {
            boolean isNull = reader.getCurrentDefinitionLevel() < present;
            into[i] = isNull ? none : isWide ? reader.getLong() : reader.getInteger();
            reader.consume();
        }
    }

    /** Reads decimals; {@link Double#NaN} replaces null. */
    void read(double[] into, int count) {
        boolean isWide = type == PrimitiveTypeName.DOUBLE;
        for (int i = 0; i < count; i++) {
            boolean isNull = reader.getCurrentDefinitionLevel() < present;
            into[i] = isNull ? Double.NaN : isWide ? reader.getDouble() : reader.getFloat();
            reader.consume();
        }
    }
}
