package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.live.MoveSteps;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One of several assigners, but not the first: it does what that one orders ({@link Order}) and tells how far it is. In
 * a re-partitioning it makes the moves of the edges that are its own; else those that it has chosen itself.
 */
public final class FollowingAssigner implements Closeable {
    private static final long ANSWER_MILLIS = 500;

    private final RemotePlacement.Engine engine;
    private final TableRequests requests;
    private final LongSupplier nowMillis;
    private final RemoteRefinement refinement;
    private long generation;
    private long moved;
    private @Nullable Order next;
    private @Nullable Work work;
    private long answeredMillis;

    /** The moves of an order. */
    private record Work(Order order, RemotePlan plan, TableMover mover, MoveSteps steps) {}

    /** @param generation that the engine has */
    public FollowingAssigner(
            RemotePlacement.Engine engine, TableRequests requests, LongSupplier nowMillis, long generation) {
        this.engine = engine;
        this.requests = requests;
        this.nowMillis = nowMillis;
        this.generation = generation;
        refinement = new RemoteRefinement(engine, requests);
    }

    /** Returns the generation of the last order. */
    public long generation() {
        return generation;
    }

    /** Returns the edges that it has moved in this generation, in this attempt. */
    public long moved() {
        return moved;
    }

    /** Takes a reply of a table, or an order. */
    public void replied(Views reply) {
        if (reply.request() == Order.ORDER) {
            next = Order.of(reply);
        } else if (work != null) {
            work.plan().replied(reply);
            work.mover().replied(reply);
        } else {
            refinement.replied(reply);
        }
    }

    /** Returns whether {@link #step} has work. */
    public boolean isWorking() {
        return next != null || work != null || refinement.hasWork();
    }

    /**
     * Does a part of what is ordered, or of its own moves if nothing is.
     *
     * @param mayGoOn whether there is time left, asked every few edges
     */
    public void step(BooleanSupplier mayGoOn) {
        Order order = next;
        if (order != null && requests.isReady()) {
            next = null;
            begin(order);
        }
        if (work == null) {
            if (next == null) {
                refinement.step(mayGoOn);
            }
            return;
        }
        try {
            move(work, mayGoOn);
        } catch (IOException e) {
            Order failed = work.order();
            close();
            Order.Answer.failed(failed.number(), generation, moved, String.valueOf(e.getMessage()))
                    .send(requests);
        }
    }

    private void begin(Order order) {
        close();
        if (order.partitions() != engine.partitions()) {
            engine.setPartitions(order.partitions());
        }
        engine.placement().restrictTo(order.open());
        if (generation != order.generation()) {
            engine.setGeneration(order.generation());
            generation = order.generation();
            moved = 0;
        }
        if (!order.hasMoves()) {
            done(order);
            return;
        }
        engine.ownersTold(); // before the tables had a plan
        RemotePlan plan = RemotePlan.ofMoves(requests, order.plan());
        Moves moves = plan.moves();
        TableMover mover = RemotePlacement.mover(engine, requests, moves, false);
        work = new Work(order, plan, mover, new MoveSteps(mover, moves, order.edgesPerSecond(), nowMillis.getAsLong()));
    }

    private void move(Work now, BooleanSupplier mayGoOn) throws IOException {
        long millis = nowMillis.getAsLong();
        moved += now.steps().step(millis, mayGoOn);
        if (now.steps().isOver()) {
            close();
            done(now.order());
        } else if (millis - answeredMillis >= ANSWER_MILLIS) {
            answeredMillis = millis;
            new Order.Answer(now.order().number(), generation, moved, Order.Answer.State.MOVING, new long[0])
                    .send(requests);
        }
    }

    private void done(Order order) {
        new Order.Answer(
                        order.number(),
                        generation,
                        moved,
                        Order.Answer.State.DONE,
                        Order.Answer.edges(engine, !requests.edges().hasPlaces()))
                .send(requests);
    }

    /** Moves nothing any more. */
    @Override
    public void close() {
        refinement.close();
        if (work != null) {
            work.plan().abandon();
            work.steps().close();
            work = null;
        }
    }
}
