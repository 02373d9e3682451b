package io.cutwater.kafka.folder;

import io.cutwater.kafka.file.VertexFileReader;
import io.cutwater.kafka.record.VertexRecord;
import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.state.graph.Hashing;
import java.util.Arrays;

/** Features, label and split of one vertex, to be filled again for the next. */
final class VertexDataRow {
    final float[] features;
    int label;
    int split;

    VertexDataRow(int featureCount) {
        features = new float[featureCount];
        clear();
    }

    /** What a vertex has of which nothing is known. */
    VertexDataRow clear() {
        Arrays.fill(features, 0);
        label = VertexFileReader.NO_LABEL;
        split = VertexSplit.NONE.ordinal();
        return this;
    }

    VertexDataRow take(VertexFileReader reader) {
        System.arraycopy(reader.features(), 0, features, 0, features.length);
        label = reader.label();
        split = reader.split().ordinal();
        return this;
    }

    /** Takes what a record says; one without features has 0 for each. */
    VertexDataRow take(VertexRecord record) {
        record.features().copyTo(features);
        label = record.label();
        split = record.split().ordinal();
        return this;
    }

    /** 64 bits of all that the row has: different rows have the same once in 2^64. */
    long fingerprint() {
        long hash = Hashing.mix64(label, split);
        for (float feature : features) {
            hash = Hashing.mix64(hash, Float.floatToIntBits(feature));
        }
        return hash;
    }
}
