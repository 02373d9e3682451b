package io.cutwater.format.text;

import io.cutwater.format.FeatureReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A reader of libsvm text: {@code label index:value …}, with ascending indices from 1; features that are not listed are
 * 0. The number of features is the largest index in the whole file.
 */
public final class SvmFeatureReader implements FeatureReader {
    private static final int FIRST_CAPACITY = 64;

    private final VertexLines lines;
    private final VertexNumbers numbers;
    private final NumberScanner scanner = new NumberScanner();
    private final boolean readsLabels;
    private float[] features;
    private int featureCount;
    private int used;
    private int label = NO_LABEL;

    public SvmFeatureReader(Path file, int featureCount, boolean readsLabels) throws IOException {
        this.readsLabels = readsLabels;
        this.featureCount = featureCount;
        features = new float[Math.max(FIRST_CAPACITY, featureCount)];
        lines = new VertexLines(file);
        numbers = new VertexNumbers(lines);
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
        for (int from = NumberScanner.skipBlanks(lines.bytes(), end, lines.to()); from < lines.to(); ) {
            end = numbers.endOfField(from);
            readFeature(from, end);
            from = NumberScanner.skipBlanks(lines.bytes(), end, lines.to());
        }
        featureCount = Math.max(featureCount, used);
        return true;
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
