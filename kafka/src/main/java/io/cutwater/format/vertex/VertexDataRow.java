package io.cutwater.format.vertex;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/** Features, label and split of one vertex; a mutable row that is filled again for the next vertex. */
public final class VertexDataRow {
    public final float[] features;
    public int label;
    public int split;

    public VertexDataRow(int featureCount) {
        features = new float[featureCount];
        clear();
    }

    /** Sets the values of a vertex without data. */
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

    /** Takes the values of a record; without features all are 0. */
    public VertexDataRow take(VertexRecord record) {
        record.features().copyTo(features);
        label = record.label();
        split = record.split().ordinal();
        return this;
    }

    /** Returns a 64-bit hash of all values: different rows collide once in 2^64. */
    public long fingerprint() {
        long hash = Hashing.mix64(label, split);
        for (float feature : features) {
            hash = Hashing.mix64(hash, Float.floatToIntBits(feature));
        }
        return hash;
    }
}
