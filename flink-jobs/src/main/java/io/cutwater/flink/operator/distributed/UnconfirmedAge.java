package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import java.util.Arrays;

/**
 * Age of the oldest update that an assigner has sent and no table has confirmed. Sequence numbers of a bucket have no
 * gaps, so the times are in one ring per bucket, by sequence number. {@link #millis} is for reporter threads.
 */
final class UnconfirmedAge {
    private static final long NOTHING = Long.MAX_VALUE;

    private final long lineage;
    private final long[] lastSent;
    private final long[] lastConfirmed;
    private final long[] oldest;
    private final long[][] sentMillis;

    /** @param lineage id of that of the updates; others are ignored */
    UnconfirmedAge(long lineage, int buckets) {
        this.lineage = lineage;
        lastSent = new long[buckets];
        lastConfirmed = new long[buckets];
        oldest = new long[buckets];
        Arrays.fill(oldest, NOTHING);
        sentMillis = new long[buckets][2];
    }

    void sent(VertexUpdate update, long nowMillis) {
        if (update.isNumbered() && update.lineage() == lineage) {
            sent(update.bucket(), update.sequence(), nowMillis);
        }
    }

    /** @param sequence one more than in the last call for the bucket; any in the first call */
    void sent(int bucket, long sequence, long nowMillis) {
        if (lastSent[bucket] == lastConfirmed[bucket]) {
            lastConfirmed[bucket] = sequence - 1;
            oldest[bucket] = nowMillis;
        }
        if (sequence - lastConfirmed[bucket] > sentMillis[bucket].length) {
            grow(bucket);
        }
        sentMillis[bucket][place(bucket, sequence)] = nowMillis;
        lastSent[bucket] = sequence;
    }

    private int place(int bucket, long sequence) {
        return (int) sequence & (sentMillis[bucket].length - 1);
    }

    private void grow(int bucket) {
        long[] before = sentMillis[bucket];
        sentMillis[bucket] = new long[2 * before.length];
        for (long sequence = lastConfirmed[bucket] + 1; sequence <= lastSent[bucket]; sequence++) {
            sentMillis[bucket][place(bucket, sequence)] = before[(int) sequence & (before.length - 1)];
        }
    }

    void confirmed(Views views) {
        for (int i = 0; i < views.lineageCount(); i++) {
            if (views.lineage(i) == lineage) {
                confirmed(views.confirmedBucket(i), views.confirmed(i));
            }
        }
    }

    /** Confirms the updates of a bucket up to this one. */
    void confirmed(int bucket, long sequence) {
        if (sequence > lastConfirmed[bucket] && lastSent[bucket] > lastConfirmed[bucket]) {
            lastConfirmed[bucket] = Math.min(sequence, lastSent[bucket]);
            oldest[bucket] = lastConfirmed[bucket] == lastSent[bucket]
                    ? NOTHING
                    : sentMillis[bucket][place(bucket, lastConfirmed[bucket] + 1)];
        }
    }

    /** Returns the age in milliseconds; 0 if everything is confirmed. */
    long millis(long nowMillis) {
        long first = NOTHING;
        for (long time : oldest) {
            first = Math.min(first, time);
        }
        return first == NOTHING ? 0 : Math.max(0, nowMillis - first);
    }
}
