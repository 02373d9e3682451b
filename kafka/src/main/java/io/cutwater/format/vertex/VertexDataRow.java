package io.cutwater.format.vertex;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/** Features, label and split of one vertex, to be filled again for the next. */
public final class VertexDataRow {
    public final float[] features;
    public int label;
    public int split;

    public VertexDataRow(int featureCount) {
        features = new float[featureCount];
        clear();
    }

    /** What a vertex has of which nothing is known. */
    public VertexDataRow clear() {
        Arrays.fill(features, 0);
        label = VertexFileReader.NO_LABEL;
        split = VertexSplit.NONE.ordinal();
        return this;
    }

    public VertexDataRow take(VertexFileReader reader) {
        System.arraycopy(reader.features(), 0, features, 0, features.length);
        label = reader.label();
        split = reader.split().ordinal();
        return this;
    }

    /** Takes what a record says; one without features has 0 for each. */
    public VertexDataRow take(VertexRecord record) {
        record.features().copyTo(features);
        label = record.label();
        split = record.split().ordinal();
        return this;
    }

    /** 64 bits of all that the row has: different rows have the same once in 2^64. */
    public long fingerprint() {
        long hash = Hashing.mix64(label, split);
        for (float feature : features) {
            hash = Hashing.mix64(hash, Float.floatToIntBits(feature));
        }
        return hash;
    }
}
