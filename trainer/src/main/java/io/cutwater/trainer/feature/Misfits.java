package io.cutwater.trainer.feature;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Counts the vertices whose data do not fit a model, and remembers the first of them. */
public final class Misfits {
    private static final int NAMED = 5;

    private final int features;
    private final int labelBound;
    private final Map<Long, String> named = new LinkedHashMap<>();
    private long seen;
    private long count;
    private long otherWidth;
    private long otherLabel;

    /** @param labelBound exclusive upper bound of labels */
    public Misfits(int features, int labelBound) {
        this.features = features;
        this.labelBound = labelBound;
    }

    /** Checks a vertex. A vertex without features yet fits. */
    public void look(long vertex, int width, int label) {
        seen++;
        boolean isOther = width > 0 && width != features;
        if (isOther || label >= labelBound) {
            count++;
            otherWidth += isOther ? 1 : 0;
            otherLabel += isOther ? 0 : 1;
            if (named.size() < NAMED) {
                named.put(vertex, isOther ? "%d features".formatted(width) : "label %d".formatted(label));
            }
        }
    }

    public long count() {
        return count;
    }

    /** Returns the number of vertices with another number of features. */
    public long otherWidth() {
        return otherWidth;
    }

    /** Returns the number of vertices whose features fit but whose label is not below the bound. */
    public long otherLabel() {
        return otherLabel;
    }

    /** Returns the share of the checked vertices that do not fit, 0 to 1. */
    public double share() {
        return seen == 0 ? 0 : (double) count / seen;
    }

    /** Returns the count and the first vertices as a message for users. */
    public String words() {
        StringBuilder names = new StringBuilder();
        named.forEach((vertex, what) -> names.append(names.isEmpty() ? "" : ", ")
                .append("vertex ")
                .append(vertex)
                .append(" has ")
                .append(what));
        return String.format(
                Locale.ROOT,
                "%,d of %,d vertices in shards do not have %d features and a label below %d: %s%s",
                count,
                seen,
                features,
                labelBound,
                names,
                count > named.size() ? ", …" : "");
    }
}
