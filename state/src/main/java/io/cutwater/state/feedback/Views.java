package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Lookup}: the vertices as they were before the batch, in the order asked, the oldest copies of
 * edges that the batch removes, and the last update of each lineage of the assigner that they have in them. A
 * <em>greeting</em> has no vertices: it announces a bucket to an assigner at the start of every attempt, before
 * anything else. <em>News</em> come from all buckets of a task together: they have the vertices that other assigners
 * have changed, for the cache of an assigner, and confirm its updates. A <em>reply</em> has what an assigner has
 * requested for moves or for a plan. <em>Restored</em> views have the vertices that the only assigner needs to start
 * after several ones, as they are when the table has everything of before.
 */
public final class Views {
    static final long GREETING = 0;
    static final long NEWS = -1;
    static final long RESTORED = Long.MIN_VALUE;

    private static final long[] NO_LOADS = {};

    private long number;
    private int assigner;
    private int bucket;
    private long run;
    private int lineageCount;
    private long[] lineages = new long[1];
    private long[] confirmed = new long[1];
    private int[] confirmedBuckets = new int[1];
    private int size;
    private int stride;
    private long[] records = new long[0];
    private final EdgeBatch copies = new EdgeBatch(1);
    private byte @Nullable [] handover;
    private long[] loads = NO_LOADS;

    /**
     * Empties it, for another answer.
     *
     * @param number of the batch, 0 for a greeting, −1 for news, or −1 less the number of a request for a reply
     * @param bucket for news, the first one of the task
     * @param run of the table, random and new in every attempt
     * @param stride longs per vertex
     */
    public Views reset(long number, int assigner, int bucket, long run, int stride) {
        this.number = number;
        this.assigner = assigner;
        this.bucket = bucket;
        this.run = run;
        this.stride = stride;
        lineageCount = 0;
        size = 0;
        copies.clear();
        handover = null;
        loads = NO_LOADS;
        return this;
    }

    /** Returns the number of a reply to a request, which is at least 1. */
    public static long replyTo(long request) {
        return NEWS - request;
    }

    /** Confirms the updates of a lineage to a bucket, up to a sequence number. */
    public void confirm(int bucket, long lineage, long sequence) {
        if (lineageCount == lineages.length) {
            lineages = Arrays.copyOf(lineages, 2 * lineageCount);
            confirmed = Arrays.copyOf(confirmed, 2 * lineageCount);
            confirmedBuckets = Arrays.copyOf(confirmedBuckets, 2 * lineageCount);
        }
        lineages[lineageCount] = lineage;
        confirmedBuckets[lineageCount] = bucket;
        confirmed[lineageCount++] = sequence;
    }

    /** Makes room for one more vertex; returns where in {@link #records()} it is to stand. */
    public int addRecord() {
        int at = size * stride;
        ensureRecords(size + 1);
        size++;
        return at;
    }

    private void ensureRecords(int count) {
        if (count * stride > records.length) {
            records = Arrays.copyOf(records, Math.max(count * stride, 2 * records.length));
        }
    }

    /**
     * The oldest copies of the edges that the batch removes, as many as it may need, those of an edge together; their
     * places are partitions.
     */
    public EdgeBatch copies() {
        return copies;
    }

    /**
     * State that a job without a loop kept for the assigner, sent with one greeting; in a reply, the reason why there
     * is no plan.
     */
    public Views setHandover(byte @Nullable [] handover) {
        this.handover = handover;
        return this;
    }

    public byte @Nullable [] handover() {
        return handover;
    }

    /**
     * Adds to news the edges that all assigners have told.
     *
     * @param loads as {@link io.cutwater.state.table.TeamLoads#hear} takes them
     */
    public Views setLoads(long[] loads) {
        this.loads = loads;
        return this;
    }

    /** Returns the edges that all assigners have told, of the partitions that have changed; empty for none. */
    public long[] loads() {
        return loads;
    }

    public boolean isGreeting() {
        return number == GREETING;
    }

    public boolean isNews() {
        return number == NEWS;
    }

    public boolean isReply() {
        return number < NEWS && number != RESTORED;
    }

    public boolean isRestored() {
        return number == RESTORED;
    }

    /** Returns the number of the request that this is a reply to. */
    public long request() {
        return NEWS - number;
    }

    public long number() {
        return number;
    }

    public int assigner() {
        return assigner;
    }

    public int bucket() {
        return bucket;
    }

    public long run() {
        return run;
    }

    /** Confirmations: lineages of the bucket, or of all buckets of the task. */
    public int lineageCount() {
        return lineageCount;
    }

    public long lineage(int i) {
        return lineages[i];
    }

    /** The sequence number of the last update of lineage {@code i} that the views have in them. */
    public long confirmed(int i) {
        return confirmed[i];
    }

    /** The bucket whose updates confirmation {@code i} is about. */
    public int confirmedBucket(int i) {
        return confirmedBuckets[i];
    }

    /** Vertices. */
    public int size() {
        return size;
    }

    public int stride() {
        return stride;
    }

    /** {@link #stride()} longs for each vertex, see {@link io.cutwater.state.table.VertexLayout}. */
    public long[] records() {
        return records;
    }

    /** Returns the confirmed sequence of a lineage in a bucket, or 0 if none is confirmed. */
    long confirmedOf(long lineage, int ofBucket) {
        for (int i = 0; i < lineageCount; i++) {
            if (lineages[i] == lineage && confirmedBuckets[i] == ofBucket) {
                return confirmed[i];
            }
        }
        return 0;
    }

    /** Returns the confirmed sequence of a lineage, or 0 if none is confirmed. */
    long confirmedOf(long lineage) {
        for (int i = 0; i < lineageCount; i++) {
            if (lineages[i] == lineage) {
                return confirmed[i];
            }
        }
        return 0;
    }
}
