package io.cutwater.trainer.round;

import io.cutwater.format.VertexSplit;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Counts of correctly classified vertices, by split. The counts of shards add up to those of the graph, because each
 * vertex is tested by its owner.
 *
 * @param right correct vertices by {@link VertexSplit#ordinal}
 * @param total vertices by {@link VertexSplit#ordinal}
 * @param lossSums sum of losses by {@link VertexSplit#ordinal}
 */
public record AccuracyCounts(long[] right, long[] total, double[] lossSums) {
    public AccuracyCounts() {
        this(
                new long[VertexSplit.values().length],
                new long[VertexSplit.values().length],
                new double[VertexSplit.values().length]);
    }

    /** Adds the counts of another instance. */
    public void add(AccuracyCounts other) {
        for (int split = 0; split < right.length; split++) {
            right[split] += other.right[split];
            total[split] += other.total[split];
            lossSums[split] += other.lossSums[split];
        }
    }

    /** Writes right (8 bytes), total (8) and loss (8) for each split. */
    public void write(DataOutput out) throws IOException {
        for (int split = 0; split < total.length; split++) {
            out.writeLong(right[split]);
            out.writeLong(total[split]);
            out.writeDouble(lossSums[split]);
        }
    }

    /** Reads what {@link #write} wrote. */
    public static AccuracyCounts read(DataInput in) throws IOException {
        AccuracyCounts counts = new AccuracyCounts();
        for (int split = 0; split < counts.total.length; split++) {
            counts.right[split] = in.readLong();
            counts.total[split] = in.readLong();
            counts.lossSums[split] = in.readDouble();
        }
        return counts;
    }

    /**
     * Counts one vertex.
     *
     * @param scores scores of the classes, beginning at {@code at}
     */
    public void count(VertexSplit split, int label, float[] scores, int at, int classes) {
        int best = Scores.best(scores, at, classes);
        total[split.ordinal()]++;
        right[split.ordinal()] += best == label ? 1 : 0;
        lossSums[split.ordinal()] += Scores.loss(scores, at, classes, label);
    }

    /** Returns the share of correct vertices, 0 to 1; NaN without vertices. */
    public double accuracy(VertexSplit split) {
        return (double) right[split.ordinal()] / total[split.ordinal()];
    }

    /** Returns the mean loss; NaN without vertices. */
    public double loss(VertexSplit split) {
        return lossSums[split.ordinal()] / total[split.ordinal()];
    }

    public long total(VertexSplit split) {
        return total[split.ordinal()];
    }
}
