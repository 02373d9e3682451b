package io.cutwater.format.csv;

import io.cutwater.format.FeatureReader;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.text.NameIds;
import io.cutwater.format.text.NumberScanner;
import io.cutwater.format.text.VertexLines;
import io.cutwater.format.text.VertexNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A reader of tables of numbers separated by commas or blanks, with rows of equal length. If the first field of the
 * first line is not a number, that line is a header: the columns {@code id} or {@code vertex}, {@code label} and
 * {@code split} have these meanings, and all others are features. Without a header all columns are features.
 */
public final class CsvFeatureReader implements FeatureReader {
    private enum Column {
        FEATURE,
        ID,
        LABEL,
        SPLIT
    }

    private final VertexLines lines;
    private final VertexNumbers numbers;
    private Column[] columns = {};
    private float[] features = {};
    private boolean isAtFirst;
    private long vertex;
    private int label = NO_LABEL;
    private VertexSplit split = VertexSplit.NONE;

    /** @param names the ids of vertices that are text; null for ids that are integers */
    public CsvFeatureReader(Path file, @Nullable NameIds names) throws IOException {
        lines = new VertexLines(file);
        numbers = new VertexNumbers(lines, names);
        boolean isOpen = false;
        try {
            readFirstLine(file);
            isOpen = true;
        } finally {
            if (!isOpen) {
                lines.close();
            }
        }
    }

    private void readFirstLine(Path file) throws IOException {
        if (!lines.next()) {
            throw new IOException("%s has no line.".formatted(file));
        }
        byte[] line = lines.bytes();
        int end = numbers.endOfField(lines.from());
        boolean isHeader = new NumberScanner().scanDecimal(line, lines.from(), lines.to()) != end;
        columns = new Column[countFields()];
        int from = lines.from();
        int featureCount = 0;
        for (int i = 0; i < columns.length; i++) {
            end = numbers.endOfField(from);
            columns[i] = isHeader ? column(new String(line, from, end - from, StandardCharsets.UTF_8)) : Column.FEATURE;
            if (columns[i] == Column.FEATURE) {
                featureCount++;
            } else {
                refuseSecond(i);
            }
            from = NumberScanner.nextField(line, end, lines.to());
        }
        features = new float[featureCount];
        isAtFirst = !isHeader;
    }

    private int countFields() throws IOException {
        int count = 0;
        for (int from = lines.from(); from < lines.to(); count++) {
            from = NumberScanner.nextField(lines.bytes(), numbers.endOfField(from), lines.to());
        }
        if (count > MAX_FEATURES) {
            throw lines.wrong("has %d fields; %d features are the most".formatted(count, MAX_FEATURES));
        }
        return count;
    }

    private static Column column(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "id", "vertex" -> Column.ID;
            case "label" -> Column.LABEL;
            case "split" -> Column.SPLIT;
            default -> Column.FEATURE;
        };
    }

    private void refuseSecond(int i) throws IOException {
        for (int before = 0; before < i; before++) {
            if (columns[before] == columns[i]) {
                throw lines.wrong(
                        "has two columns for the %s".formatted(columns[i].name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    @Override
    public boolean next() throws IOException {
        if (isAtFirst) {
            isAtFirst = false;
        } else if (!lines.next()) {
            return false;
        }
        int from = lines.from();
        int feature = 0;
        for (int i = 0; i < columns.length; i++) {
            int end = numbers.endOfField(from);
            switch (columns[i]) {
                case FEATURE -> features[feature++] = numbers.feature(from, end);
                case ID -> vertex = numbers.id(from, end);
                case LABEL -> label = numbers.label(from, end);
                case SPLIT -> split = numbers.split(from, end);
            }
            from = i == columns.length - 1 ? end : NumberScanner.nextField(lines.bytes(), end, lines.to());
        }
        numbers.end(from);
        return true;
    }

    @Override
    public float[] features() {
        return features;
    }

    @Override
    public int featureCount() {
        return features.length;
    }

    @Override
    public int label() {
        return label;
    }

    @Override
    public VertexSplit split() {
        return split;
    }

    @Override
    public long vertex() {
        return vertex;
    }

    private boolean has(Column kind) {
        for (Column column : columns) {
            if (column == kind) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean hasIds() {
        return has(Column.ID);
    }

    @Override
    public boolean hasLabels() {
        return has(Column.LABEL);
    }

    @Override
    public boolean hasSplit() {
        return has(Column.SPLIT);
    }

    @Override
    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
