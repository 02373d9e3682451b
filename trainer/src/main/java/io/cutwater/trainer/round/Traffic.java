package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Bytes that workers exchange.
 *
 * @param forwardSent frames of forward passes, heads included; in mini-batches neighbours and features of other shards
 * @param forwardAvoided bytes by which their rows are smaller than 32-bit floats, or all of them where old rows serve
 * @param backwardSent frames of backward passes, heads included
 * @param backwardAvoided like {@code forwardAvoided}
 * @param otherSent frames of sums of gradients, of the tests before, and of the preparation of a cut
 * @param batchSent mini-batches that workers asked samplers for, the questions included
 * @param batchAvoided rows of features of these mini-batches that were not sent, because the worker had them
 * @param mapped bytes that were not sent, because neighbours and features were read in files of another process on the
 *     same host
 */
public record Traffic(
        long forwardSent,
        long forwardAvoided,
        long backwardSent,
        long backwardAvoided,
        long otherSent,
        long batchSent,
        long batchAvoided,
        long mapped) {
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /** Creates the traffic of shards without samplers. */
    public Traffic(long forwardSent, long forwardAvoided, long backwardSent, long backwardAvoided, long otherSent) {
        this(forwardSent, forwardAvoided, backwardSent, backwardAvoided, otherSent, 0, 0, 0);
    }

    /** Creates the traffic of mini-batches from a sampler to a worker. */
    public static Traffic ofBatches(long sent, long avoided) {
        return new Traffic(0, 0, 0, 0, 0, sent, avoided, 0);
    }

    /** Returns this traffic with bytes that were read in mapped files. */
    public Traffic withMapped(long bytes) {
        return new Traffic(
                forwardSent,
                forwardAvoided,
                backwardSent,
                backwardAvoided,
                otherSent,
                batchSent,
                batchAvoided,
                mapped + bytes);
    }

    /** Writes eight numbers of 8 bytes. */
    void write(DataOutput out) throws IOException {
        out.writeLong(forwardSent);
        out.writeLong(forwardAvoided);
        out.writeLong(backwardSent);
        out.writeLong(backwardAvoided);
        out.writeLong(otherSent);
        out.writeLong(batchSent);
        out.writeLong(batchAvoided);
        out.writeLong(mapped);
    }

    /** Reads what {@link #write} wrote. */
    static Traffic read(DataInput in) throws IOException {
        return new Traffic(
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong());
    }

    /** Returns the sum. */
    public Traffic plus(Traffic other) {
        return new Traffic(
                forwardSent + other.forwardSent,
                forwardAvoided + other.forwardAvoided,
                backwardSent + other.backwardSent,
                backwardAvoided + other.backwardAvoided,
                otherSent + other.otherSent,
                batchSent + other.batchSent,
                batchAvoided + other.batchAvoided,
                mapped + other.mapped);
    }

    /** Returns the bytes of all frames. */
    public long sent() {
        return forwardSent + backwardSent + otherSent + batchSent;
    }

    /** Returns the bytes avoided in both directions. */
    public long avoided() {
        return forwardAvoided + backwardAvoided;
    }
}
