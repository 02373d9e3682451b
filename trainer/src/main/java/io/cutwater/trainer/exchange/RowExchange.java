package io.cutwater.trainer.exchange;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.reduce.VectorSlices;
import io.cutwater.trainer.round.Traffic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings rows of owners to the other shards that have them, and adds partial sums up at the owners. Each call sends
 * exactly one frame to each other worker and receives one from each. Where the staleness rule allows it the frame says
 * that the rows sent last are to be used again; receivers keep those, and senders do if the rule depends on the change.
 * Used by one thread.
 */
public final class RowExchange {
    private static final float[] NOT_MEASURED = {};

    private FrameChannel channel;
    private final ShardRows rows;
    private final Staleness rule;
    private final RowCoding coding;
    private final boolean mayDelayGradients;
    private final boolean isInStep;
    private final Map<Slot, Link> links = new HashMap<>();
    private Traffic traffic = Traffic.NONE;
    private long waitedNanos;

    /** Identifies frames that replace each other. */
    private record Slot(Direction direction, int layer, int other) {}

    /** What both ends of a slot remember. */
    private static final class Link {
        float[] lastMeasured = {}; // when rows were sent
        int versionSent = -1;
        float @Nullable [] cached;
        int versionCached = -1;
    }

    /**
     * Creates an exchange that has sent nothing yet.
     *
     * @param coding encoding of the rows of training
     * @param mayDelayGradients whether the rule holds for backward passes, too
     * @param isInStep whether all workers must send in the same epochs
     */
    public RowExchange(
            FrameChannel channel,
            ShardRows rows,
            Staleness rule,
            RowCoding coding,
            boolean mayDelayGradients,
            boolean isInStep) {
        this.channel = channel;
        this.rows = rows;
        this.rule = rule;
        this.coding = coding;
        this.mayDelayGradients = mayDelayGradients;
        this.isInStep = isInStep;
    }

    /** Continues in another group, and forgets all rows, so that the next ones are sent. */
    public void continueIn(FrameChannel next) {
        channel = next;
        links.clear();
    }

    /**
     * Copies own rows to the workers that have them, and theirs to here.
     *
     * @param values one row for each row of the shard; those that are not its own are overwritten
     * @param measured rows whose change decides whether rows are sent, in the same places; may be {@code values}
     * @return the oldest epoch of which a received row is
     */
    public int scatter(Direction direction, int layer, int epoch, float[] values, float[] measured, int columns)
            throws IOException, InterruptedException {
        for (int other = 0; other < channel.size(); other++) {
            if (other != channel.rank()) {
                sendSelected(direction, layer, epoch, other, values, measured, rows.sentTo(other), epoch, columns);
            }
        }
        int oldest = epoch;
        for (int other = 0; other < channel.size(); other++) {
            if (other != channel.rank()) {
                int[] into = rows.receivedFrom(other);
                Link link = receive(direction, layer, epoch, other, into.length, columns);
                float[] from = received(link);
                for (int i = 0; i < into.length; i++) {
                    System.arraycopy(from, i * columns, values, into[i] * columns, columns);
                }
                if (into.length > 0) {
                    oldest = Math.min(oldest, link.versionCached);
                }
            }
        }
        return oldest;
    }

    /** Adds a row of another worker to an own one. */
    @FunctionalInterface
    public interface Addition {
        /**
         * Adds a row.
         *
         * @param values rows of the shard
         * @param row own row
         * @param from has the other row from {@code at} on
         */
        void add(float[] values, int row, float[] from, int at);
    }

    /**
     * Adds the rows of other workers to own rows, in the order of the workers.
     *
     * @param version oldest epoch whose values are in the rows
     * @param values one row for each row of the shard
     * @param measured rows whose change decides whether rows are sent, in the same places; may be {@code values}
     */
    public void gather(
            Direction direction, int layer, int epoch, int version, float[] values, float[] measured, int columns)
            throws IOException, InterruptedException {
        gather(direction, layer, epoch, version, values, measured, columns, (into, row, from, at) -> {
            for (int column = 0; column < columns; column++) {
                into[row * columns + column] += from[at + column];
            }
        });
    }

    /**
     * Combines the rows of other workers with own rows, in the order of the workers.
     *
     * @param version oldest epoch whose values are in the rows
     * @param values one row for each row of the shard
     * @param measured rows whose change decides whether rows are sent, in the same places; may be {@code values}
     */
    public void gather(
            Direction direction,
            int layer,
            int epoch,
            int version,
            float[] values,
            float[] measured,
            int columns,
            Addition addition)
            throws IOException, InterruptedException {
        for (int other = 0; other < channel.size(); other++) {
            if (other != channel.rank()) {
                sendSelected(
                        direction, layer, epoch, other, values, measured, rows.receivedFrom(other), version, columns);
            }
        }
        for (int other = 0; other < channel.size(); other++) {
            if (other != channel.rank()) {
                int[] into = rows.sentTo(other);
                float[] from = received(receive(direction, layer, epoch, other, into.length, columns));
                for (int i = 0; i < into.length; i++) {
                    addition.add(values, into[i], from, i * columns);
                }
            }
        }
    }

    private void sendSelected(
            Direction direction,
            int layer,
            int epoch,
            int other,
            float[] values,
            float[] measured,
            int[] selected,
            int version,
            int columns)
            throws IOException, InterruptedException {
        float[] packed = packed(values, selected, columns);
        float[] packedMeasured = values == measured ? packed : packed(measured, selected, columns);
        send(direction, layer, epoch, other, packed, packedMeasured, version, columns);
    }

    private static float[] packed(float[] values, int[] selected, int columns) {
        float[] packed = new float[selected.length * columns];
        for (int i = 0; i < selected.length; i++) {
            System.arraycopy(values, selected[i] * columns, packed, i * columns, columns);
        }
        return packed;
    }

    private static float[] received(Link link) {
        float[] cached = link.cached;
        if (cached == null) {
            throw new IllegalStateException("rows are missing");
        }
        return cached;
    }

    private boolean mayDelay(Direction direction) {
        return direction.isForward() || (direction.isBackward() && mayDelayGradients);
    }

    private void send(
            Direction direction,
            int layer,
            int epoch,
            int other,
            float[] values,
            float[] measured,
            int version,
            int columns)
            throws IOException, InterruptedException {
        int count = columns == 0 ? 0 : values.length / columns;
        RowFrame.Head head =
                new RowFrame.Head(direction, layer, epoch, channel.rank(), other, count, columns, rows.cut());
        boolean mayDelay = mayDelay(direction);
        Link link =
                mayDelay ? links.computeIfAbsent(new Slot(direction, layer, other), slot -> new Link()) : new Link();
        ByteBuffer frame;
        if (link.versionSent < 0
                || rule.isDue(
                        epoch,
                        link.versionSent,
                        isInStep ? 0 : channel.rank(),
                        () -> change(link.lastMeasured, measured))) {
            boolean isOfTraining = direction.isForward() || direction.isBackward();
            frame = RowFrame.rows(head, version, isOfTraining ? coding : RowCoding.FLOAT32, values);
            link.versionSent = version;
            if (rule.kind() == Staleness.Kind.VARIATION) {
                link.lastMeasured = measured;
            }
        } else {
            frame = RowFrame.same(head, link.versionSent);
        }
        count(
                direction,
                frame.remaining(),
                RowCoding.FLOAT32.bytes(count, columns) + RowFrame.HEAD - frame.remaining());
        channel.send(other, frame);
    }

    /** Returns the norm of the change in relation to the norm of the values before. */
    private static double change(float[] before, float[] now) {
        double changed = 0;
        double norm = 0;
        for (int i = 0; i < now.length; i++) {
            double difference = (double) now[i] - before[i];
            changed += difference * difference;
            norm += (double) before[i] * before[i];
        }
        return Math.sqrt(changed) / (Math.sqrt(norm) + 1e-12);
    }

    private Link receive(Direction direction, int layer, int epoch, int other, int count, int columns)
            throws IOException, InterruptedException {
        RowFrame.Head head =
                new RowFrame.Head(direction, layer, epoch, other, channel.rank(), count, columns, rows.cut());
        Link link = mayDelay(direction)
                ? links.computeIfAbsent(new Slot(direction, layer, other), slot -> new Link())
                : new Link();
        long began = System.nanoTime();
        ByteBuffer frame = channel.receive(other);
        waitedNanos += System.nanoTime() - began;
        float[] into = link.cached == null ? new float[count * columns] : link.cached;
        RowFrame.Received received = RowFrame.read(frame, head, into);
        if (!received.hasRows() && (link.cached == null || received.version() != link.versionCached)) {
            throw new IOException("%s: the sender refers to rows of epoch %d, but those of epoch %d are here"
                    .formatted(head, received.version(), link.versionCached));
        }
        if (received.version() > epoch || epoch - received.version() > (mayDelay(direction) ? rule.bound() : 0)) {
            throw new IOException("%s: the rows are of epoch %d, but the bound is %d epochs"
                    .formatted(head, received.version(), rule.bound()));
        }
        link.cached = into;
        link.versionCached = received.version();
        return link;
    }

    private void count(Direction direction, long sent, long avoided) {
        if (direction.isForward()) {
            traffic = traffic.plus(new Traffic(sent, avoided, 0, 0, 0));
        } else if (direction.isBackward()) {
            traffic = traffic.plus(new Traffic(0, 0, sent, avoided, 0));
        } else {
            traffic = traffic.plus(new Traffic(0, 0, 0, 0, sent));
        }
    }

    /**
     * Replaces an array by the sum of the arrays of all workers, added in the order of the workers, so that the result
     * is the same at all and does not depend on arrival. Each worker adds one part and sends it to all others.
     */
    public void sum(int layer, int epoch, float[] values) throws IOException, InterruptedException {
        int size = channel.size();
        if (size == 1) {
            return;
        }
        VectorSlices slices = new VectorSlices(values.length, size);
        for (int other = 0; other < size; other++) {
            if (other != channel.rank()) {
                send(Direction.SUM_PART, layer, epoch, other, slices.copy(values, other), NOT_MEASURED, epoch, 1);
            }
        }
        double[] sums = new double[slices.size(channel.rank())];
        for (int other = 0; other < size; other++) {
            float[] part = other == channel.rank()
                    ? slices.copy(values, other)
                    : received(receive(Direction.SUM_PART, layer, epoch, other, sums.length, 1));
            for (int i = 0; i < sums.length; i++) {
                sums[i] += part[i];
            }
        }
        float[] whole = new float[sums.length];
        for (int i = 0; i < whole.length; i++) {
            whole[i] = (float) sums[i];
        }
        for (int other = 0; other < size; other++) {
            if (other != channel.rank()) {
                send(Direction.SUM_WHOLE, layer, epoch, other, whole, NOT_MEASURED, epoch, 1);
            }
        }
        System.arraycopy(whole, 0, values, slices.begin(channel.rank()), whole.length);
        for (int other = 0; other < size; other++) {
            if (other != channel.rank()) {
                float[] part = received(receive(Direction.SUM_WHOLE, layer, epoch, other, slices.size(other), 1));
                System.arraycopy(part, 0, values, slices.begin(other), part.length);
            }
        }
    }

    /** Returns the traffic since the last call: what this worker sent. */
    public Traffic takeTraffic() {
        Traffic taken = traffic;
        traffic = Traffic.NONE;
        return taken;
    }

    /** Returns the time spent waiting for frames so far. */
    public long waitedNanos() {
        return waitedNanos;
    }
}
