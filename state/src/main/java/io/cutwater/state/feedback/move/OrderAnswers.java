package io.cutwater.state.feedback.move;

import java.util.BitSet;

/** The answers of all assigners to an order, in each bucket of a table. */
final class OrderAnswers {
    private final int assigners;
    private final int wanted;
    private final BitSet answered = new BitSet();
    private long order;

    /** @param buckets of the table */
    OrderAnswers(int buckets, int assigners) {
        this.assigners = assigners;
        wanted = buckets * assigners;
    }

    /**
     * Takes an answer down.
     *
     * @param bucket 0 for the first of the table
     * @return whether it is the last one that the table has waited for
     */
    boolean add(int bucket, int assigner, Order.Answer answer) {
        if (answer.order() < order || answer.state() == Order.Answer.State.MOVING) {
            return false;
        }
        if (answer.order() > order) {
            order = answer.order();
            answered.clear();
        }
        int at = bucket * assigners + assigner;
        if (answered.get(at)) {
            return false;
        }
        answered.set(at);
        return answered.cardinality() == wanted;
    }
}
