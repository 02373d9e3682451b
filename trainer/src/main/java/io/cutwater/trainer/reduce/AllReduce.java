package io.cutwater.trainer.reduce;

import io.cutwater.trainer.channel.FrameChannel;
import java.nio.ByteBuffer;

/**
 * One rank of a deterministic all-reduce (reduce-scatter, then all-gather). The vector is divided into one slice per
 * rank; each rank adds its slice over all ranks, in rank order and with 64 bits, and sends the mean to all. So the
 * result depends neither on the order of arrival nor on where a rank runs, and is bit-equal on all ranks. A rank sends
 * and receives 2 (p − 1) / p vectors per step. Used by one thread.
 */
public final class AllReduce {
    private static final float[] NOTHING = {};

    private final FrameChannel channel;
    private final int rank;
    private int step;
    private long bytes;
    private long waitedNanos;

    /** @param channel channels to the other ranks; nothing else uses them at the same time */
    public AllReduce(FrameChannel channel) {
        this.channel = channel;
        rank = channel.rank();
    }

    /**
     * The outcome of a step, the same on all ranks.
     *
     * @param weight total number of examples; 0 if no rank had any, and then there is no mean
     * @param hasMore whether a rank has a mini-batch for the next step
     */
    public record Outcome(long weight, boolean hasMore) {}

    public boolean isAlone() {
        return channel.size() == 1;
    }

    /** Returns the bytes of gradients and means that this rank has sent. */
    public long bytes() {
        return bytes;
    }

    /** Returns the maximum number of bytes of a frame for a gradient of the given length. */
    public static int maxBytes(long length) {
        return (int) Math.min(Integer.MAX_VALUE, Part.HEAD + Float.BYTES * length);
    }

    /** Returns the time that this rank has waited for others. */
    public long waitedNanos() {
        return waitedNanos;
    }

    /**
     * Replaces a gradient by the mean over all ranks, weighted by examples. All ranks call this once per step.
     *
     * @param gradient mean gradient of this rank's examples; arbitrary values without examples
     * @param weight number of examples, at least 0
     * @param hasMore whether this rank has a mini-batch for the next step
     * @throws IllegalStateException if another rank failed; the message is meant for users
     */
    public Outcome mean(float[] gradient, long weight, boolean hasMore) throws InterruptedException {
        step++;
        VectorSlices slices = new VectorSlices(gradient.length, channel.size());
        for (int to = 0; to < channel.size(); to++) {
            if (to != rank) {
                send(to, new Part(step, false, weight, hasMore, weight == 0 ? NOTHING : slices.copy(gradient, to)));
            }
        }
        double[] sum = new double[slices.size(rank)];
        long total = 0;
        boolean more = hasMore;
        for (int from = 0; from < channel.size(); from++) {
            Part part = from == rank
                    ? new Part(step, false, weight, hasMore, slices.copy(gradient, rank))
                    : receive(from, false, sum.length);
            if (part.weight() > 0) {
                add(part.values(), part.weight(), sum);
            }
            total += part.weight();
            more |= part.hasMore();
        }
        if (total > 0) {
            exchangeMeans(gradient, slices, sum, total);
        }
        return new Outcome(total, more);
    }

    private static void add(float[] values, long weight, double[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += (double) weight * values[i]; // exact, so the mean of one rank is its own gradient
        }
    }

    private void exchangeMeans(float[] gradient, VectorSlices slices, double[] sum, long total)
            throws InterruptedException {
        int begin = slices.begin(rank);
        for (int i = 0; i < sum.length; i++) {
            gradient[begin + i] = (float) (sum[i] / total);
        }
        for (int to = 0; to < channel.size(); to++) {
            if (to != rank) {
                send(to, new Part(step, true, total, false, slices.copy(gradient, rank)));
            }
        }
        for (int from = 0; from < channel.size(); from++) {
            if (from != rank) {
                float[] mean = receive(from, true, slices.size(from)).values();
                System.arraycopy(mean, 0, gradient, slices.begin(from), mean.length);
            }
        }
    }

    private void send(int to, Part part) {
        bytes += (long) part.values().length * Float.BYTES;
        channel.send(to, part.encode());
    }

    private Part receive(int from, boolean isMean, int length) throws InterruptedException {
        long before = System.nanoTime();
        ByteBuffer frame = channel.receive(from);
        waitedNanos += System.nanoTime() - before;
        Part part = Part.decode(frame, from);
        int expected = part.weight() == 0 ? 0 : length;
        if (part.step() != step || part.isMean() != isMean || part.values().length != expected) {
            throw new IllegalStateException(
                    "shard %d sent %d values of step %d instead of %d of step %d; run all processes with the same version and options"
                            .formatted(from, part.values().length, part.step(), expected, step));
        }
        return part;
    }
}
