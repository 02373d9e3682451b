package io.cutwater.format.text;

import io.cutwater.format.FeatureReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of libsvm text: {@code label [qid:vertex] index:value …}, with ascending indices from 1; features that are
 * not listed are 0. The number of features is the largest index in the whole file. The ids of vertices are where
 * SVMlight has those of queries, in all rows or in none.
 */
public final class SvmFeatureReader implements FeatureReader {
    private static final int FIRST_CAPACITY = 64;
    private static final byte[] ID = "qid:".getBytes(StandardCharsets.US_ASCII);

    private final VertexLines lines;
    private final VertexNumbers numbers;
    private final NumberScanner scanner = new NumberScanner();
    private final boolean readsLabels;
    private final boolean hasIds;
    private final boolean areTexts;
    private float[] features;
    private int featureCount;
    private int used;
    private int label = NO_LABEL;
    private long vertex;

    /**
     * Opens a file.
     *
     * @param featureCount the least number of features; 0 if unknown
     * @param readsLabels whether to read labels beside the features
     * @param names the ids of vertices that are text; null for ids that are integers
     */
    public SvmFeatureReader(Path file, int featureCount, boolean readsLabels, @Nullable NameIds names)
            throws IOException {
        areTexts = names != null;
        this.readsLabels = readsLabels;
        this.featureCount = featureCount;
        features = new float[Math.max(FIRST_CAPACITY, featureCount)];
        hasIds = hasIds(file);
        lines = new VertexLines(file);
        numbers = new VertexNumbers(lines, names);
    }

    /** Returns whether the first row has the id of its vertex. */
    private static boolean hasIds(Path file) throws IOException {
        try (VertexLines lines = new VertexLines(file)) {
            if (!lines.next()) {
                return false;
            }
            int end = new VertexNumbers(lines).endOfField(lines.from());
            return isId(lines, NumberScanner.skipBlanks(lines.bytes(), end, lines.to()));
        }
    }

    private static boolean isId(VertexLines lines, int from) {
        return lines.to() - from > ID.length && Arrays.equals(lines.bytes(), from, from + ID.length, ID, 0, ID.length);
    }

    @Override
    public boolean next() throws IOException {
        Arrays.fill(features, 0, used, 0);
        used = 0;
        if (!lines.next()) {
            return false;
        }
        int end = numbers.endOfField(lines.from());
        if (readsLabels) {
            label = numbers.label(lines.from(), end);
        }
        int from = NumberScanner.skipBlanks(lines.bytes(), end, lines.to());
        if (isId(lines, from) != hasIds) {
            throw lines.wrong(
                    hasIds
                            ? "has no qid:ID after its label, and the first row has one; give all rows one, or none"
                            : "has qid:ID after its label, and the first row has none; give all rows one, or none");
        }
        if (hasIds) {
            end = numbers.endOfField(from);
            vertex = readId(from, end);
            from = NumberScanner.skipBlanks(lines.bytes(), end, lines.to());
        }
        while (from < lines.to()) {
            end = numbers.endOfField(from);
            readFeature(from, end);
            from = NumberScanner.skipBlanks(lines.bytes(), end, lines.to());
        }
        featureCount = Math.max(featureCount, used);
        return true;
    }

    private long readId(int from, int to) throws IOException {
        if (areTexts) {
            return numbers.id(from + ID.length, to);
        }
        if (scanner.scanInteger(lines.bytes(), from + ID.length, to) != to) {
            throw lines.wrong("has %s where qid: and the vertex' id should be"
                    .formatted(NumberScanner.quote(lines.bytes(), from, to)));
        }
        return scanner.integer();
    }

    private void readFeature(int from, int to) throws IOException {
        int colon = from;
        while (colon < to && lines.bytes()[colon] != ':') {
            colon++;
        }
        if (colon == to || scanner.scanInteger(lines.bytes(), from, colon) != colon) {
            throw lines.wrong("has %s where index:value should be; a name ending in .csv or .npy tells another format"
                    .formatted(NumberScanner.quote(lines.bytes(), from, to)));
        }
        long index = scanner.integer();
        if (index < 1 || index > MAX_FEATURES) {
            throw lines.wrong("has index %d; indices are 1 to %d".formatted(index, MAX_FEATURES));
        }
        if (index <= used) {
            throw lines.wrong("has index %d after index %d; indices must ascend".formatted(index, used));
        }
        if (index > features.length) {
            features = Arrays.copyOf(features, (int) Math.min(MAX_FEATURES, Math.max(index, 2L * features.length)));
        }
        features[(int) index - 1] = numbers.feature(colon + 1, to);
        used = (int) index;
    }

    @Override
    public float[] features() {
        return features;
    }

    @Override
    public int featureCount() {
        return featureCount;
    }

    @Override
    public int label() {
        return label;
    }

    @Override
    public long vertex() {
        return vertex;
    }

    @Override
    public boolean hasIds() {
        return hasIds;
    }

    @Override
    public boolean hasLabels() {
        return readsLabels;
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
