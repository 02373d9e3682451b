package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The work of a worker in a round on one shard.
 *
 * @param steps mini-batches
 * @param seeds training vertices of all mini-batches
 * @param lossSum sum of the losses of all seeds
 * @param edges edges of all hops
 * @param nanos wall-clock time
 * @param waitedNanos part of {@code nanos} spent waiting for mini-batches, and for gradients of other shards
 * @param batchNanos part of {@code waitedNanos} spent waiting for mini-batches
 * @param bytesSent bytes of gradients sent to other shards
 * @param traffic rows exchanged with other shards, with their gradients and sums
 * @param locality part of mini-batches that the shard had itself; nothing if they are made from its data alone
 */
public record EpochReport(
        long steps,
        long seeds,
        double lossSum,
        long edges,
        long nanos,
        long waitedNanos,
        long batchNanos,
        long bytesSent,
        Traffic traffic,
        Locality locality) {
    private static final EpochReport NOTHING = new EpochReport(0, 0, 0, 0, 0, 0, 0, 0);

    /** Creates the report of a shard that exchanges no rows. */
    public EpochReport(
            long steps,
            long seeds,
            double lossSum,
            long edges,
            long nanos,
            long waitedNanos,
            long batchNanos,
            long bytesSent) {
        this(steps, seeds, lossSum, edges, nanos, waitedNanos, batchNanos, bytesSent, Traffic.NONE, Locality.NONE);
    }

    /** Returns the same work with what was exchanged for it. */
    public EpochReport with(Traffic exchanged, Locality own) {
        return new EpochReport(steps, seeds, lossSum, edges, nanos, waitedNanos, batchNanos, bytesSent, exchanged, own);
    }

    /** Returns the report of no step. */
    public static EpochReport nothing() {
        return NOTHING;
    }

    /** Returns the sum of two reports. */
    public EpochReport plus(EpochReport other) {
        return new EpochReport(
                steps + other.steps,
                seeds + other.seeds,
                lossSum + other.lossSum,
                edges + other.edges,
                nanos + other.nanos,
                waitedNanos + other.waitedNanos,
                batchNanos + other.batchNanos,
                bytesSent + other.bytesSent,
                traffic.plus(other.traffic),
                locality.plus(other.locality));
    }

    /** Writes eight numbers of 8 bytes, then the traffic and the locality. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(steps);
        out.writeLong(seeds);
        out.writeDouble(lossSum);
        out.writeLong(edges);
        out.writeLong(nanos);
        out.writeLong(waitedNanos);
        out.writeLong(batchNanos);
        out.writeLong(bytesSent);
        traffic.write(out);
        locality.write(out);
    }

    /** Reads what {@link #write} wrote. */
    public static EpochReport read(DataInput in) throws IOException {
        return new EpochReport(
                in.readLong(),
                in.readLong(),
                in.readDouble(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                Traffic.read(in),
                Locality.read(in));
    }

    /** Returns the share of the time that was spent waiting, 0 to 1. */
    public double waitingShare() {
        return nanos == 0 ? 0 : (double) waitedNanos / nanos;
    }

    /** Returns the share of the time that was spent waiting for mini-batches, 0 to 1. */
    public double batchWaitingShare() {
        return nanos == 0 ? 0 : (double) batchNanos / nanos;
    }

    /** Returns the mean loss of the seeds; NaN without seeds. */
    public double loss() {
        return lossSum / seeds;
    }
}
