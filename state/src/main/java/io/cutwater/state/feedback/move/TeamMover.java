package io.cutwater.state.feedback.move;

import io.cutwater.state.repartition.live.EdgeMover;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Makes the moves of the first of several assigners, and has the others make theirs. It is over when all are. */
final class TeamMover implements EdgeMover {
    private final EdgeMover own;
    private final OtherAssigners others;
    private final long plan;
    private final long edgesPerSecond;
    private boolean isTold;
    private boolean isAnswered;
    private boolean isCounted;

    /** @param edgesPerSecond of each assigner */
    TeamMover(EdgeMover own, OtherAssigners others, long plan, long edgesPerSecond) {
        this.own = own;
        this.others = others;
        this.plan = plan;
        this.edgesPerSecond = edgesPerSecond;
    }

    @Override
    public long step(long limit, BooleanSupplier mayGoOn) throws IOException {
        if (!isTold) {
            if (!others.settle()) {
                return 0; // not before all know the partitions to which edges may move
            }
            others.move(plan, edgesPerSecond);
            isTold = true;
        }
        others.requireNoFailure();
        long moved = own.step(limit, mayGoOn);
        if (own.isOver() && !isAnswered) {
            isAnswered = true;
            others.answer();
        }
        return moved;
    }

    @Override
    public boolean isOver() {
        if (!isAnswered || others.hasFailed() || !others.settle()) {
            return false;
        }
        if (!isCounted) { // edges move with the vertices of other assigners, which may have been told later
            isCounted = true;
            others.survey(0);
        }
        return others.settle();
    }

    @Override
    public void close() {
        if (isTold && !isOver()) {
            others.stop();
        }
        own.close();
    }
}
