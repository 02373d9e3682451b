package io.cutwater.kafka.field.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.cutwater.kafka.field.ByteCursor;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.FieldValues.Kind;
import io.cutwater.kafka.field.MalformedBytesException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of Protobuf messages, see "Encoding" in the documentation of Protocol Buffers. Fields that are not
 * wanted are skipped. A scalar of proto3 without {@code optional} that is not written has its default, 0 of a number.
 */
final class ProtobufFieldReader implements FieldReader {
    private static final int MAX_NESTING = 100;
    private static final int NUMBER_BITS = 3;
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int GROUP = 3;
    private static final int END_GROUP = 4;
    private static final int FIXED32 = 5;
    private static final long UNSIGNED_INT = 0xffff_ffffL;

    private final ProtobufMessage root;
    private final ByteCursor in = new ByteCursor();

    ProtobufFieldReader(Descriptor message, FieldTree tree) {
        root = new ProtobufMessage(message, tree.root());
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        into.clear();
        in.open(record, offset);
        try {
            readMessage(root, in.left(), 0, into);
            return null;
        } catch (MalformedBytesException e) {
            return e.getMessage();
        }
    }

    private void readMessage(ProtobufMessage message, long length, int depth, FieldValues into) {
        if (length < 0 || length > in.left()) {
            in.skip(length); // which tells that the record is truncated
        }
        nested(depth);
        for (ProtobufMessage.Field field : message.fields()) {
            if (field.index >= 0 && !field.descriptor.hasPresence() && into.kind(field.index) == Kind.ABSENT) {
                setDefault(field, into);
            }
        }
        long end = in.left() - length;
        while (in.left() > end) {
            long tag = in.varint();
            int wireType = (int) tag & (1 << NUMBER_BITS) - 1;
            long number = tag >>> NUMBER_BITS;
            if (number == 0 || number > Integer.MAX_VALUE) {
                throw new MalformedBytesException("it is of another type: field number %d".formatted(number));
            }
            ProtobufMessage.Field field = message.field((int) number);
            if (field == null) {
                skip(wireType, number, depth);
            } else {
                readField(field, wireType, depth, into);
            }
        }
        if (in.left() < end) {
            throw new MalformedBytesException(
                    "it is truncated or of another type: a field passes the end of its message");
        }
    }

    private static int nested(int depth) {
        if (depth == MAX_NESTING) {
            throw new MalformedBytesException("it is nested more than %d deep".formatted(MAX_NESTING));
        }
        return depth + 1;
    }

    private static void setDefault(ProtobufMessage.Field field, FieldValues into) {
        if (field.descriptor.isRepeated()) {
            into.setOther(field.index, "a list");
            return;
        }
        switch (field.descriptor.getJavaType()) {
            case INT, LONG -> into.setInteger(field.index, 0);
            case FLOAT, DOUBLE -> into.setDecimal(field.index, 0);
            case STRING -> into.setText(field.index, "");
            case ENUM -> into.setText(field.index, enumText(field, 0));
            case BOOLEAN -> into.setOther(field.index, "false");
            case BYTE_STRING, MESSAGE -> into.setOther(field.index, "no bytes");
        }
    }

    private static String enumText(ProtobufMessage.Field field, int number) {
        EnumValueDescriptor value = field.descriptor.getEnumType().findValueByNumber(number);
        return value == null ? Integer.toString(number) : value.getName();
    }

    private void readField(ProtobufMessage.Field field, int wireType, int depth, FieldValues into) {
        if (field.descriptor.isRepeated()) {
            if (field.index >= 0) {
                into.setOther(field.index, "a list");
            }
            skip(wireType, field.descriptor.getNumber(), depth);
            return;
        }
        if (wireType != wireType(field.type)) {
            throw new MalformedBytesException("it is of another type: field %s has wire type %d, not %d"
                    .formatted(field.descriptor.getName(), wireType, wireType(field.type)));
        }
        if (field.inside != null && field.type == FieldDescriptor.Type.MESSAGE) {
            if (field.index >= 0) {
                into.setOther(field.index, "a message");
            }
            readMessage(field.inside, in.varint(), nested(depth), into);
        } else if (field.index < 0) {
            skip(wireType, field.descriptor.getNumber(), depth);
        } else {
            readScalar(field, into);
        }
    }

    private void readScalar(ProtobufMessage.Field field, FieldValues into) {
        int index = field.index;
        switch (field.type) {
            case INT64 -> into.setInteger(index, in.varint());
            case INT32 -> into.setInteger(index, (int) in.varint());
            case UINT32 -> into.setInteger(index, in.varint() & UNSIGNED_INT);
            case SINT32, SINT64 -> into.setInteger(index, in.zigzag());
            case UINT64 -> setUnsigned(index, in.varint(), into);
            case FIXED64 -> setUnsigned(index, in.int64(), into);
            case SFIXED64 -> into.setInteger(index, in.int64());
            case FIXED32 -> into.setInteger(index, in.int32() & UNSIGNED_INT);
            case SFIXED32 -> into.setInteger(index, in.int32());
            case DOUBLE -> into.setDecimal(index, Double.longBitsToDouble(in.int64()));
            case FLOAT -> into.setDecimal(index, Float.intBitsToFloat(in.int32()));
            case BOOL -> into.setOther(index, in.varint() == 0 ? "false" : "true");
            case ENUM -> into.setText(index, enumText(field, (int) in.varint()));
            case STRING -> in.text(in.varint(), index, into);
            case BYTES -> {
                long length = in.varint();
                in.skip(length);
                into.setOther(index, "%d bytes".formatted(length));
            }
            case GROUP, MESSAGE -> {
                skip(wireType(field.type), field.descriptor.getNumber(), 0);
                into.setOther(index, "a message");
            }
        }
    }

    private static void setUnsigned(int index, long value, FieldValues into) {
        if (value < 0) {
            String text = Long.toUnsignedString(value);
            into.setDecimal(index, Double.parseDouble(text), text);
        } else {
            into.setInteger(index, value);
        }
    }

    private static int wireType(FieldDescriptor.Type type) {
        return switch (type) {
            case INT32, INT64, UINT32, UINT64, SINT32, SINT64, BOOL, ENUM -> VARINT;
            case FIXED64, SFIXED64, DOUBLE -> FIXED64;
            case FIXED32, SFIXED32, FLOAT -> FIXED32;
            case STRING, BYTES, MESSAGE -> LENGTH;
            case GROUP -> GROUP;
        };
    }

    private void skip(int wireType, long number, int depth) {
        switch (wireType) {
            case VARINT -> in.varint();
            case FIXED64 -> in.skip(Long.BYTES);
            case FIXED32 -> in.skip(Integer.BYTES);
            case LENGTH -> in.skip(in.varint());
            case GROUP -> skipGroup(number, nested(depth));
            default ->
                throw new MalformedBytesException(
                        "it is truncated or of another type: wire type %d of field %d".formatted(wireType, number));
        }
    }

    private void skipGroup(long group, int depth) {
        while (true) {
            long tag = in.varint();
            int wireType = (int) tag & (1 << NUMBER_BITS) - 1;
            long number = tag >>> NUMBER_BITS;
            if (wireType == END_GROUP) {
                if (number != group) {
                    throw new MalformedBytesException(
                            "it is of another type: group %d ends in group %d".formatted(number, group));
                }
                return;
            }
            skip(wireType, number, depth);
        }
    }
}
