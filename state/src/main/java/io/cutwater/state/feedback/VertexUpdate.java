package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one batch or several to one bucket, sent from an assigner to a vertex table. Sequence 0 announces that
 * the assigner sends nothing more to this bucket: the vertices are the assigner's lineages, and their degrees the last
 * sequence of each. Sequence −1 tells the requesting operator that the assigner has placed its batches up to one, and
 * sent what they change: the run is that of the operator, the lineage is the batch's number, and the destination is
 * that of bucket 0. Sequence −4 says that one of several assigners of a job that keeps edges has sent to this bucket
 * what earlier attempts have left. Sequences −2, −3 and −5 to −7 are requests of an assigner of a job that keeps edges,
 * the lineage being the number of the request: −2 for what moves need, of which the vertices are those whose records it
 * wants, without bytes, and the edges are as {@link io.cutwater.state.feedback.bucket.BucketEdges#movable} takes them;
 * the others for a plan, which the hints describe ({@link io.cutwater.state.feedback.move.TablePlan}). Sequence −8 is a
 * part of a message from one vertex table to another while they plan: the run is the number of the plan, the assigner
 * that of the sending table, the lineage that of the round, and the hints are the message. Sequences −9 and −10 are
 * requests of several assigners of a job that keeps edges: −9 is an order of the first to all of them, sent to bucket
 * 0, and −10 an answer of each, sent to every bucket; the hints are the message
 * ({@link io.cutwater.state.feedback.move.Order}). Sequence −11 says that one of several assigners of a job that keeps
 * edges has forgotten the owners of the vertices; the hints are the questions that this answers
 * ({@link OwnerReleases}). Sequences −12 and −13 are of the operator that finds the edges of vertices, before the
 * tables, when a job of one task goes on in several: −12 asks the tables for the ends of all edges, and −13 has some of
 * them; the run is that of the operator. Sequence −14 tells the table of bucket 0 the edges by partition that one of
 * several assigners has placed; the hints are the loads ({@link AssignerLoads#tell}).
 *
 * @param run of the receiving table; a table ignores updates of other runs
 * @param assigner number of the sender, 0 to A − 1
 * @param lineage series that the sequence belongs to; a lineage outlives its assigner
 * @param sequence 1, 2, 3 … in each lineage and bucket, for ever
 * @param added the vertices with the partitions that they are on now and were not before, one entry for each, and with
 *     their master, or with the owner that is proposed for them ({@link #proposal}); degrees are 0, but see above. Not
 *     changed any more
 * @param records from the only assigner, which writes whole records back: the bytes of each vertex in {@code added},
 *     which says nothing else of it, and null for a vertex that is gone; otherwise null
 * @param edges what happened to kept edges, see {@link io.cutwater.state.feedback.bucket.BucketEdges#apply}; null if
 *     none are kept
 * @param hints from one of several assigners, whose rule has homes: of each vertex in {@code added} the words that
 *     {@link io.cutwater.state.table.RecordExchange#copyHints} gives; otherwise null. The last that a table gets count
 */
public record VertexUpdate(
        long run,
        int assigner,
        long lineage,
        int bucket,
        long sequence,
        VertexBatch added,
        byte @Nullable [] @Nullable [] records,
        @Nullable EdgeBatch edges,
        @SuppressWarnings("ArrayRecordComponent") long @Nullable [] hints) {
    private static final long END = 0;
    private static final long PLACED = -1;
    private static final long ASK_MOVABLE = -2;
    private static final long COLLECT = -3;
    private static final long CAUGHT_UP = -4;
    private static final long PLAN = -5;
    private static final long NEXT_MOVES = -6;
    private static final long END_PLAN = -7;
    private static final long PEER = -8;
    private static final long ORDER = -9;
    private static final long ANSWER = -10;
    private static final long RELEASE = -11;
    private static final long ASK_ENDS = -12;
    private static final long ENDS = -13;
    private static final long LOADS = -14;

    /** Masters from here down stand for proposed owners. */
    private static final int PROPOSAL = -2;

    /** An update of a job that keeps no edges. */
    public VertexUpdate(
            long run,
            int assigner,
            long lineage,
            int bucket,
            long sequence,
            VertexBatch added,
            byte @Nullable [] @Nullable [] records) {
        this(run, assigner, lineage, bucket, sequence, added, records, null, null);
    }

    /** An update that has no records. */
    public VertexUpdate(long run, int assigner, long lineage, int bucket, long sequence, VertexBatch added) {
        this(run, assigner, lineage, bucket, sequence, added, null, null, null);
    }

    /** @param lineages all that the assigner has */
    static VertexUpdate end(long run, int assigner, int bucket, List<Lineage> lineages) {
        VertexBatch sent = new VertexBatch(lineages.size());
        for (Lineage lineage : lineages) {
            sent.add(lineage.id(), lineage.lastSequence(bucket), VertexTable.NO_MASTER);
        }
        return new VertexUpdate(run, assigner, 0, bucket, END, sent);
    }

    static VertexUpdate placed(NumberedBatch batch) {
        return new VertexUpdate(batch.run(), batch.assigner(), batch.number(), 0, PLACED, new VertexBatch(0));
    }

    /**
     * Says that what earlier attempts have left is sent.
     *
     * @param asksForRecords whether the only assigner goes on with what several have left, so that it needs the records
     *     of the vertices, and of those that have changed since
     * @param vertices of the bucket at which edges are buffered
     * @param degreeChanges what is to be added to the degree of each
     */
    static VertexUpdate caughtUp(
            long run, int assigner, int bucket, boolean asksForRecords, VertexBatch vertices, long[] degreeChanges) {
        return new VertexUpdate(
                run,
                assigner,
                asksForRecords ? 1 : 0,
                bucket,
                CAUGHT_UP,
                vertices,
                null,
                null,
                vertices.isEmpty() ? null : degreeChanges);
    }

    /** Asks for records and for copies that are about to move. */
    static VertexUpdate movable(long run, int assigner, int bucket, long request, VertexBatch wanted, EdgeBatch edges) {
        return new VertexUpdate(
                run, assigner, request, bucket, ASK_MOVABLE, wanted, new byte[wanted.size()][], edges, null);
    }

    /** The steps of a plan, which the assigner asks the vertex tables to take. */
    public enum PlanStep {
        /** To collect the kept edges of the bucket; asked of every bucket. */
        COLLECT(VertexUpdate.COLLECT),
        /** To plan, when the edges of all tables are collected. */
        PLAN(VertexUpdate.PLAN),
        /** For the next moves of the plan. */
        NEXT_MOVES(VertexUpdate.NEXT_MOVES),
        /** To give the plan up. */
        END(VertexUpdate.END_PLAN);

        private final long sequence;

        PlanStep(long sequence) {
            this.sequence = sequence;
        }
    }

    /** Asks a table for a step of a plan. @param plan see {@link io.cutwater.state.feedback.move.TablePlan} */
    static VertexUpdate plan(long run, int assigner, int bucket, long request, PlanStep step, long[] plan) {
        return new VertexUpdate(run, assigner, request, bucket, step.sequence, words(0), null, null, plan);
    }

    /** An order of the first of several assigners. */
    static VertexUpdate order(long run, int assigner, long request, long[] words) {
        return new VertexUpdate(run, assigner, request, 0, ORDER, words(0), null, null, words);
    }

    /** The loads of an assigner, for the table of bucket 0. @param ranks of the partitions that have changed */
    static VertexUpdate loads(long run, int assigner, long[] ranks) {
        return new VertexUpdate(run, assigner, 0, 0, LOADS, words(0), null, null, ranks);
    }

    /** What an assigner says of an order. */
    static VertexUpdate answer(long run, int assigner, int bucket, long request, long[] words) {
        return new VertexUpdate(run, assigner, request, bucket, ANSWER, words(0), null, null, words);
    }

    /** Says that an assigner has forgotten the owners of vertices. @param questions one for each vertex */
    static VertexUpdate release(long run, int assigner, int bucket, VertexBatch vertices, long[] questions) {
        return new VertexUpdate(run, assigner, 0, bucket, RELEASE, vertices, null, null, questions);
    }

    /**
     * A part of a message between tables that plan.
     *
     * @param part of {@code parts} of the message, 0 to {@code parts} − 1
     * @param bucket the first one of the receiver
     */
    public static VertexUpdate peer(long plan, int sender, long round, int part, int parts, int bucket, long[] words) {
        VertexBatch header = words((long) parts << Integer.SIZE | part);
        return new VertexUpdate(plan, sender, round, bucket, PEER, header, null, null, words);
    }

    /**
     * Asks the table that has a bucket for the ends of all edges.
     *
     * @param run of the operator that asks
     * @param loop {@code UpdateSource.loop} of its job
     */
    public static VertexUpdate askEnds(long run, long loop, int bucket) {
        return new VertexUpdate(run, 0, loop, bucket, ASK_ENDS, words(0));
    }

    /**
     * The ends of some edges, for the operator that has asked.
     *
     * @param part number of the message among those of the table, from 0
     * @param header what it has, as its sender and receiver agree on
     */
    public static VertexUpdate ends(long run, int table, long part, long header, EdgeBatch edges) {
        return new VertexUpdate(run, table, part, 0, ENDS, words(header), null, edges, null);
    }

    /** Returns what hints need in front of them. */
    private static VertexBatch words(long header) {
        VertexBatch one = new VertexBatch(1);
        one.add(header, 0, VertexTable.NO_MASTER);
        return one;
    }

    /** Returns what stands for the master of a vertex for which an owner is proposed. */
    static int proposal(int owner) {
        return PROPOSAL - owner;
    }

    /** Returns whether an owner is proposed for vertex {@code i}, which has no replicas here then. */
    static boolean isProposal(VertexBatch vertices, int i) {
        return vertices.master(i) <= PROPOSAL;
    }

    /** Returns the owner that is proposed for vertex {@code i}. */
    static int proposed(VertexBatch vertices, int i) {
        return PROPOSAL - vertices.master(i);
    }

    /** Returns whether it changes nothing and wants a reply. */
    public boolean isRequest() {
        return sequence <= ASK_MOVABLE && sequence >= ANSWER && sequence != CAUGHT_UP && sequence != PEER;
    }

    /** Returns whether it is an order of the first of several assigners to all of them. */
    public boolean isOrder() {
        return sequence == ORDER && hints != null;
    }

    /** Returns whether it has loads of an assigner. */
    boolean isOfLoads() {
        return sequence == LOADS && hints != null;
    }

    /** Returns whether it is what an assigner says of an order. */
    public boolean isAnswer() {
        return sequence == ANSWER && hints != null;
    }

    /** Returns the step of a plan that it asks for; null if it asks for none. */
    public @Nullable PlanStep planStep() {
        for (PlanStep step : PlanStep.values()) {
            if (step.sequence == sequence && hints != null) {
                return step;
            }
        }
        return null;
    }

    /** Returns whether it is a part of a message of another table. */
    public boolean isPeer() {
        return sequence == PEER && hints != null && added.size() == 1;
    }

    /** Returns whether it asks for the ends of all edges. */
    public boolean asksForEnds() {
        return sequence == ASK_ENDS;
    }

    /** Returns which loop a question for ends came through. */
    public long loop() {
        return lineage;
    }

    /** Returns whether it has ends of edges. */
    public boolean isOfEnds() {
        return sequence == ENDS && added.size() == 1 && edges != null;
    }

    /** Returns the number of a message with ends of edges, from 0. */
    public long endsPart() {
        return lineage;
    }

    /** Returns what a message with ends of edges says of these. */
    public long endsHeader() {
        return added.vertex(0);
    }

    /** Returns the number of a part of a message. */
    public int part() {
        return (int) added.vertex(0);
    }

    /** Returns the number of parts of a message. */
    public int parts() {
        return (int) (added.vertex(0) >>> Integer.SIZE);
    }

    /** Returns the number of a request, from 1. */
    public long request() {
        return lineage;
    }

    /** Returns whether it is an update that a table applies and confirms. */
    public boolean isNumbered() {
        return sequence > END;
    }

    public boolean isPlaced() {
        return sequence == PLACED;
    }

    /** The number of the last batch that is placed. */
    public long placedBatch() {
        return lineage;
    }

    /** Returns whether an assigner has forgotten owners. */
    boolean isRelease() {
        return sequence == RELEASE && hints != null && hints.length == added.size();
    }

    /** Returns the question about vertex {@code i} that is answered. */
    long question(int i) {
        return Objects.requireNonNull(hints, "an answer names its questions")[i];
    }

    /** Returns whether the updates of earlier attempts are sent. */
    boolean isCaughtUp() {
        return sequence == CAUGHT_UP;
    }

    /** Returns whether the only assigner asks for records when the updates of earlier attempts are sent. */
    boolean asksForRecords() {
        return isCaughtUp() && lineage != 0;
    }

    public boolean isEnd() {
        return sequence == END;
    }

    /** Returns an update with this header and other vertices. */
    VertexUpdate with(VertexBatch vertices, byte @Nullable [] @Nullable [] ofVertices) {
        return new VertexUpdate(run, assigner, lineage, bucket, sequence, vertices, ofVertices, edges, null);
    }

    /** Returns an update with this header, other vertices and their hints. */
    VertexUpdate withHints(VertexBatch vertices, long @Nullable [] ofVertices) {
        return new VertexUpdate(run, assigner, lineage, bucket, sequence, vertices, null, edges, ofVertices);
    }

    VertexUpdate inRun(long newRun, int newAssigner) {
        return new VertexUpdate(newRun, newAssigner, lineage, bucket, sequence, added, records, edges, hints);
    }
}
