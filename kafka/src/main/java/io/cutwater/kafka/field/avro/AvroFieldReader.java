package io.cutwater.kafka.field.avro;

import io.cutwater.kafka.field.ByteCursor;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.MalformedBytesException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of Avro records in binary encoding, see "Data Serialization and Deserialization" in the specification of
 * Avro. Values that are not wanted are skipped without an object.
 */
public final class AvroFieldReader implements FieldReader {
    /** The deepest nesting of records, lists and maps that is read; a recursive schema has no bound of its own. */
    private static final int MAX_NESTING = 256;

    private static final int MAX_DECIMAL_BYTES = 64;

    private final AvroType root;
    private final ByteCursor in = new ByteCursor();

    /**
     * Creates a reader.
     *
     * @param writer the schema with which the records were written
     */
    public AvroFieldReader(Schema writer, FieldTree tree) {
        root = AvroType.of(writer, tree);
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        into.clear();
        in.open(record, offset);
        try {
            read(root, 0, into);
        } catch (MalformedBytesException e) {
            return e.getMessage();
        }
        return in.left() == 0 ? null : "it is of another schema: %d bytes follow the last field".formatted(in.left());
    }

    private void read(AvroType type, int depth, FieldValues into) {
        switch (type.kind) {
            case NULL -> readNull(type, into);
            case BOOLEAN -> readBoolean(type, into);
            case INT -> readInt(type, into);
            case LONG -> readLong(type, into);
            case FLOAT -> readNumber(type, Float.intBitsToFloat(in.int32()), into);
            case DOUBLE -> readNumber(type, Double.longBitsToDouble(in.int64()), into);
            case STRING -> readText(type, into);
            case ENUM -> readEnum(type, into);
            case BYTES -> readBytes(type, in.zigzag(), into);
            case FIXED -> readBytes(type, type.bytes, into);
            case RECORD -> readRecord(type, nested(depth), into);
            case UNION -> read(type.parts[index(type.parts.length, "branches of a union")], nested(depth), into);
            case ARRAY -> readItems(type, false, nested(depth), into);
            case MAP -> readItems(type, true, nested(depth), into);
        }
    }

    private static int nested(int depth) {
        if (depth == MAX_NESTING) {
            throw new MalformedBytesException("it is nested more than %d deep".formatted(MAX_NESTING));
        }
        return depth + 1;
    }

    private static void readNull(AvroType type, FieldValues into) {
        if (type.field >= 0) {
            into.setNull(type.field);
        }
    }

    private void readBoolean(AvroType type, FieldValues into) {
        int value = in.next();
        if (value > 1) {
            throw new MalformedBytesException("it is of another schema: a truth value is %d".formatted(value));
        }
        if (type.field >= 0) {
            into.setOther(type.field, value == 1 ? "true" : "false");
        }
    }

    private void readInt(AvroType type, FieldValues into) {
        long value = in.zigzag();
        if (value != (int) value) {
            throw new MalformedBytesException("it is of another schema: an int is %d".formatted(value));
        }
        if (type.field >= 0) {
            into.setInteger(type.field, value);
        }
    }

    private void readLong(AvroType type, FieldValues into) {
        long value = in.zigzag();
        if (type.field >= 0) {
            into.setInteger(type.field, value);
        }
    }

    private static void readNumber(AvroType type, double value, FieldValues into) {
        if (type.field >= 0) {
            into.setDecimal(type.field, value);
        }
    }

    private void readText(AvroType type, FieldValues into) {
        long length = in.zigzag();
        if (type.field >= 0) {
            in.text(length, type.field, into);
        } else {
            in.skip(length);
        }
    }

    private void readEnum(AvroType type, FieldValues into) {
        int symbol = index(type.symbols.size(), "values of an enum");
        if (type.field >= 0) {
            into.setText(type.field, type.symbols.get(symbol));
        }
    }

    private void readBytes(AvroType type, long length, FieldValues into) {
        if (type.field < 0) {
            in.skip(length);
        } else if (type.scale < 0 || length > MAX_DECIMAL_BYTES || length == 0) {
            in.skip(length);
            into.setOther(type.field, "%d bytes".formatted(length));
        } else {
            BigInteger unscaled = new BigInteger(in.bytes(length));
            if (type.scale == 0 && unscaled.bitLength() < Long.SIZE) {
                into.setInteger(type.field, unscaled.longValue());
            } else {
                BigDecimal value = new BigDecimal(unscaled, type.scale);
                into.setDecimal(type.field, value.doubleValue(), value.toString());
            }
        }
    }

    private void readRecord(AvroType type, int depth, FieldValues into) {
        if (type.field >= 0) {
            into.setOther(type.field, "a record");
        }
        if (!type.isEmpty()) {
            for (AvroType part : type.parts) {
                read(part, depth, into);
            }
        }
    }

    /** Skips the blocks of a list or map; a block with a negative count tells its bytes. */
    private void readItems(AvroType type, boolean isMap, int depth, FieldValues into) {
        if (type.field >= 0) {
            into.setOther(type.field, isMap ? "a map" : "a list");
        }
        AvroType item = type.parts[0];
        for (long count = in.zigzag(); count != 0; count = in.zigzag()) {
            if (count < 0) {
                in.skip(in.zigzag());
            } else if (isMap || !item.isEmpty()) {
                // Each item takes a byte at least, so the end of the record stops a count that is wrong.
                for (long i = 0; i < count; i++) {
                    if (isMap) {
                        in.skip(in.zigzag());
                    }
                    read(item, depth, into);
                }
            }
        }
    }

    private int index(int count, String what) {
        long index = in.zigzag();
        if (index < 0 || index >= count) {
            throw new MalformedBytesException(
                    "it is truncated or of another schema: number %d of %d %s".formatted(index, count, what));
        }
        return (int) index;
    }
}
