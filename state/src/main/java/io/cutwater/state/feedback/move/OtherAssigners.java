package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.PartitionLoads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The assigners of a job as the first of them sees the others: it gives them orders ({@link Order}), and knows when all
 * of them, itself included, have carried out the last one, and what the quality of the whole graph was then.
 */
final class OtherAssigners {
    private final TableRequests requests;
    private final int assigners;
    private final RemotePlacement.Engine own;
    private final boolean hasOwners;
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
    private long[] owned = {};
    private @Nullable Quality surveyed;
    private @Nullable PartitionLoads surveyedLoads;
    private long edgesAtSurvey;
    private @Nullable String failure;

    /** @param own that of the first assigner */
    OtherAssigners(TableRequests requests, int assigners, int partitions, RemotePlacement.Engine own) {
        hasOwners = !requests.edges().hasPlaces();
        this.requests = requests;
        this.assigners = assigners;
        this.partitions = partitions;
        this.own = own;
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
        long edges = own.placement().placedEdges();
        if (surveyed == null && surveyedLoads == null || Math.abs(edges - edgesAtSurvey) >= change * edgesAtSurvey) {
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
        new Order.Answer(orders, generation, 0, Order.Answer.State.DONE, Order.Answer.edges(own, hasOwners))
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
        if (hasOwners) {
            Quality last = surveyed;
            return last == null ? Quality.ofVertices(0, 0, 0, 0, List.of()) : last;
        }
        PartitionLoads last = surveyedLoads;
        return Quality.of(last == null ? new PartitionLoads(partitions) : last.first(partitions), 0);
    }

    /** Returns whether the partitions from one on had nothing at the last survey. */
    boolean isEmptyFrom(int partition) {
        boolean isEmpty = quality().isEmptyFrom(partition);
        for (int p = partition; p < replicas.length; p++) {
            isEmpty &= replicas[p] == 0; // owners without edges, too
        }
        return isEmpty;
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
            owned = new long[0];
        }
        waiting.clear(firstBucket);
        vertices += words[1];
        int counted = (int) words[2];
        replicas = Arrays.copyOf(replicas, Math.max(counted, replicas.length));
        for (int p = 0; p < counted; p++) {
            replicas[p] += words[3 + p];
        }
        owned = Arrays.copyOf(owned, replicas.length);
        for (int p = 0; p < counted && hasOwners; p++) {
            owned[p] += words[3 + counted + p];
        }
        if (waiting.isEmpty()) {
            survey();
        }
    }

    private void survey() {
        isAsked = false;
        edgesAtSurvey = own.placement().placedEdges();
        if (hasOwners) {
            surveyed = ofOwners();
            return;
        }
        long[] edges = new long[replicas.length];
        for (Order.Answer answer : answers) {
            long[] some = answer == null || answer.state() != Order.Answer.State.DONE ? new long[0] : answer.rest();
            for (int p = 0; p < Math.min(some.length, edges.length); p++) {
                edges[p] += some[p];
            }
        }
        surveyedLoads = new PartitionLoads(edges, replicas, vertices);
    }

    private Quality ofOwners() {
        long[] edges = new long[partitions];
        long[] volumes = new long[partitions];
        long all = 0;
        for (Order.Answer answer : answers) {
            long[] some = answer == null || answer.state() != Order.Answer.State.DONE ? new long[1] : answer.rest();
            all += some[0];
            for (int p = 0; p < partitions && 2 + 2 * p < some.length; p++) {
                edges[p] += some[1 + 2 * p];
                volumes[p] += some[2 + 2 * p];
            }
        }
        List<PartitionQuality> perPartition = new ArrayList<>(partitions);
        for (int p = 0; p < partitions; p++) {
            long here = p < owned.length ? owned[p] : 0;
            long halo = p < owned.length ? replicas[p] - here : 0;
            perPartition.add(new PartitionQuality(p, here, volumes[p], halo, edges[p]));
        }
        return Quality.ofVertices(partitions, Arrays.stream(owned).sum(), all, 0, perPartition);
    }
}
