package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The assigners of a job as the first of them sees the others: it gives them orders ({@link Order}), and knows when all
 * of them, itself included, have carried out the last one, and what the quality of the whole graph was then.
 */
final class OtherAssigners {
    private final TableRequests requests;
    private final int assigners;
    private final Supplier<PartitionLoads> ownLoads;
    private long generation;
    private int partitions;
    private int open;
    private long orders;
    private boolean isDue;
    private boolean isAsked; // since the last order that has no moves

    /** The first buckets of tables that wait for answers to the last order. */
    private final BitSet waiting = new BitSet();

    private final Order.@Nullable Answer[] answers;
    private long[] replicas = {};
    private long vertices;
    private @Nullable PartitionLoads surveyed;
    private long edgesAtSurvey;
    private @Nullable String failure;

    /** @param ownLoads those of the first assigner */
    OtherAssigners(TableRequests requests, int assigners, int partitions, Supplier<PartitionLoads> ownLoads) {
        this.requests = requests;
        this.assigners = assigners;
        this.partitions = partitions;
        this.ownLoads = ownLoads;
        open = partitions;
        answers = new Order.Answer[assigners];
    }

    /** Every assigner is to do this from now on; with its state each has restored the last that it knew. */
    void set(long generationNow, int partitionsNow, int openNow, boolean isKnown) {
        isDue |= !isKnown && (generation != generationNow || partitions != partitionsNow || open != openNow);
        generation = generationNow;
        partitions = partitionsNow;
        open = openNow;
    }

    /**
     * Asks for the quality of the whole graph.
     *
     * @param change share of its own edges by which they must have changed since; 0 for none
     */
    void survey(double change) {
        long edges = ownLoads.get().totalEdges();
        if (surveyed == null || Math.abs(edges - edgesAtSurvey) >= change * edgesAtSurvey) {
            isDue |= !isAsked;
        }
    }

    /** Gives the order that is due, if it can; returns whether the last one is carried out, and none is due. */
    boolean settle() {
        if (isDue && requests.isReady()) {
            give(false, 0, Long.MAX_VALUE);
            answer();
        }
        return !isDue && waiting.isEmpty();
    }

    /** Has every other assigner make its moves of a plan; {@link #answer} says that this one has made its own. */
    void move(long plan, long edgesPerSecond) {
        give(true, plan, edgesPerSecond);
    }

    /** Stops the moves. */
    void stop() {
        isDue = true;
        isAsked = false;
    }

    private void give(boolean hasMoves, long plan, long edgesPerSecond) {
        isDue = false;
        isAsked = !hasMoves;
        failure = null;
        for (int first : requests.firstBuckets()) {
            waiting.set(first);
        }
        requests.order(new Order(++orders, generation, partitions, open, hasMoves, plan, edgesPerSecond).words());
    }

    /** Says that this assigner has carried out the last order. */
    void answer() {
        new Order.Answer(
                        orders,
                        generation,
                        0,
                        Order.Answer.State.DONE,
                        ownLoads.get().edges())
                .send(requests);
    }

    /** Returns whether another assigner cannot carry out the last order. */
    boolean hasFailed() {
        return failure != null;
    }

    /** @throws IOException if another assigner cannot carry out the last order */
    void requireNoFailure() throws IOException {
        if (failure != null) {
            throw new IOException(failure);
        }
    }

    /** Returns the edges that the others have moved in this generation, in this attempt, as far as is known. */
    long moved() {
        return Arrays.stream(answers)
                .filter(answer -> answer != null && answer.generation() == generation)
                .mapToLong(Order.Answer::moved)
                .sum();
    }

    /** Returns the quality at the last survey; that of no edges before the first. */
    Quality quality() {
        PartitionLoads last = surveyed;
        return Quality.of(last == null ? new PartitionLoads(partitions) : last.first(partitions), 0);
    }

    /** Takes a reply of a table, if it is about an order. */
    void replied(Views reply) {
        if (reply.request() == Order.ANSWER) {
            answered(Order.words(reply.copies()));
        } else if (reply.request() == Order.COUNTS) {
            counted(reply.bucket(), Order.words(reply.copies()));
        }
    }

    private void answered(long[] words) {
        Order.Answer answer = Order.Answer.of(Arrays.copyOfRange(words, 1, words.length));
        if (answer.order() != orders) {
            return;
        }
        int assigner = (int) words[0];
        answers[assigner] = answer;
        if (answer.state() == Order.Answer.State.FAILED) {
            failure = "assigner %d of %d: %s".formatted(assigner, assigners, answer.reason());
        }
    }

    private void counted(int firstBucket, long[] words) {
        if (words[0] != orders || !waiting.get(firstBucket)) {
            return;
        }
        if (waiting.cardinality() == requests.firstBuckets().length) {
            vertices = 0;
            replicas = new long[0];
        }
        waiting.clear(firstBucket);
        vertices += words[1];
        int counted = (int) words[2];
        replicas = Arrays.copyOf(replicas, Math.max(counted, replicas.length));
        for (int p = 0; p < counted; p++) {
            replicas[p] += words[3 + p];
        }
        if (waiting.isEmpty()) {
            survey();
        }
    }

    private void survey() {
        isAsked = false;
        long[] edges = new long[replicas.length];
        for (Order.Answer answer : answers) {
            long[] own = answer == null || answer.state() != Order.Answer.State.DONE ? new long[0] : answer.rest();
            for (int p = 0; p < Math.min(own.length, edges.length); p++) {
                edges[p] += own[p];
            }
        }
        surveyed = new PartitionLoads(edges, replicas, vertices);
        edgesAtSurvey = ownLoads.get().totalEdges();
    }
}
