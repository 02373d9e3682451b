package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a worker did in a round on one shard.
 *
 * @param steps of the optimiser
 * @param seeds training vertices of all mini-batches
 * @param lossSum of all seeds
 * @param edges of all hops
 * @param nanos by the clock
 * @param waitedNanos of these, for mini-batches that were not ready
 */
public record EpochReport(long steps, long seeds, double lossSum, long edges, long nanos, long waitedNanos) {
    private static final EpochReport NOTHING = new EpochReport(0, 0, 0, 0, 0, 0);

    /** Of no step at all. */
    public static EpochReport nothing() {
        return NOTHING;
    }

    /** Both together. */
    public EpochReport plus(EpochReport other) {
        return new EpochReport(
                steps + other.steps,
                seeds + other.seeds,
                lossSum + other.lossSum,
                edges + other.edges,
                nanos + other.nanos,
                waitedNanos + other.waitedNanos);
    }

    /** Writes six numbers of 8 bytes. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(steps);
        out.writeLong(seeds);
        out.writeDouble(lossSum);
        out.writeLong(edges);
        out.writeLong(nanos);
        out.writeLong(waitedNanos);
    }

    /** Reads what {@link #write} wrote. */
    public static EpochReport read(DataInput in) throws IOException {
        return new EpochReport(
                in.readLong(), in.readLong(), in.readDouble(), in.readLong(), in.readLong(), in.readLong());
    }

    /** Mean over the seeds; NaN without any. */
    public double loss() {
        return lossSum / seeds;
    }
}
