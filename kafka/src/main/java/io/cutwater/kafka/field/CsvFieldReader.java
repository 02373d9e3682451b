package io.cutwater.kafka.field;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of the rows of a table, by the names in its header. Fields are separated by tabs, semicolons or commas,
 * the first of these that is in the header, and may be in double quotes, of which two stand for one inside. An empty
 * field is null.
 */
public final class CsvFieldReader implements FieldReader {
    private static final byte QUOTE = '"';

    /** The columns of a table. */
    public record Header(List<String> names, char separator) implements FieldSchema {
        /** @throws MalformedBytesException if the line is no header */
        public static Header parse(byte[] line) {
            char separator = ',';
            for (char other : new char[] {'\t', ';'}) {
                if (separator == ',' && new String(line, StandardCharsets.UTF_8).indexOf(other) >= 0) {
                    separator = other;
                }
            }
            List<String> names = new ArrayList<>();
            int from = 0;
            while (from <= line.length) {
                StringBuilder name = new StringBuilder();
                from = next(line, from, separator, name) + 1;
                names.add(name.toString().strip());
            }
            return new Header(names, separator);
        }

        @Override
        public Set<Type> types(FieldPath path) {
            return path.names().size() == 1 && names.contains(path.names().get(0))
                    ? EnumSet.of(Type.TEXT)
                    : EnumSet.noneOf(Type.class);
        }

        @Override
        public List<String> fields() {
            return names.stream()
                    .map(name -> name.isEmpty() ? "''" : new FieldPath(List.of(name)).toString())
                    .toList();
        }
    }

    private final char separator;

    /** The number of the field in each column; -1 if it is not wanted. */
    private final int[] columns;

    private final StringBuilder text = new StringBuilder();

    public CsvFieldReader(Header header, FieldTree tree) {
        separator = header.separator();
        columns = new int[header.names().size()];
        for (int i = 0; i < columns.length; i++) {
            FieldTree.Node field = tree.root().child(header.names().get(i));
            columns[i] = field == null ? -1 : field.index();
        }
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        into.clear();
        int from = offset;
        try {
            for (int i = 0; from <= record.length; i++) {
                text.setLength(0);
                int field = i < columns.length ? columns[i] : -1;
                from = next(record, from, separator, field < 0 ? null : text) + 1;
                if (i == columns.length) {
                    return "it has more fields than the %d of the header".formatted(columns.length);
                }
                if (field >= 0) {
                    set(field, into);
                }
            }
            return null;
        } catch (MalformedBytesException e) {
            return e.getMessage();
        }
    }

    private void set(int field, FieldValues into) {
        String value = text.toString().strip();
        if (value.isEmpty()) {
            into.setNull(field);
        } else {
            into.setText(field, value);
        }
    }

    /** Appends a field, and returns where the separator or the end of the line is behind it. */
    private static int next(byte[] line, int from, char separator, @Nullable StringBuilder into) {
        int at = from;
        if (at < line.length && line[at] == QUOTE) {
            return quoted(line, at + 1, separator, into);
        }
        while (at < line.length && line[at] != separator) {
            at++;
        }
        append(line, from, at, into);
        return at;
    }

    private static int quoted(byte[] line, int from, char separator, @Nullable StringBuilder into) {
        int start = from;
        for (int at = from; at < line.length; at++) {
            if (line[at] == QUOTE) {
                append(line, start, at, into);
                if (at + 1 == line.length || line[at + 1] == separator) {
                    return at + 1;
                }
                if (line[at + 1] != QUOTE) {
                    throw new MalformedBytesException("it has text behind a field in quotes");
                }
                at++;
                start = at;
            }
        }
        throw new MalformedBytesException("it has a field whose quotes do not end");
    }

    private static void append(byte[] line, int from, int to, @Nullable StringBuilder into) {
        if (into != null) {
            into.append(new String(line, from, to - from, StandardCharsets.UTF_8));
        }
    }
}
