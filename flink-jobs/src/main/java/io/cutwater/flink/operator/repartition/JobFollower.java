package io.cutwater.flink.operator.repartition;

import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.TurnPace;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.move.FollowingAssigner;
import java.util.function.BooleanSupplier;
import org.slf4j.MDC;

/**
 * The part that one of several assigners but the first takes in re-partitionings, and its own moves, in time slices
 * between the batches, and its state in checkpoints.
 */
public final class JobFollower {
    private final AssignerOperator<?> task;
    private final StoredRepartitioning state;
    private final FollowingAssigner assigner;
    private final Runnable afterTurn;
    private final TurnPace pace;
    private boolean isStopped;

    /** @param afterTurn called at the end of each time slice */
    public JobFollower(
            AssignerOperator<?> task, StoredRepartitioning state, FollowingAssigner assigner, Runnable afterTurn) {
        this.task = task;
        this.state = state;
        this.assigner = assigner;
        this.afterTurn = afterTurn;
        pace = new TurnPace(task.getProcessingTimeService(), this::turn);
    }

    /** Takes a reply of a table, or an order of the first assigner. */
    public void replied(Views reply) {
        if (!isStopped) {
            assigner.replied(reply);
            pace.goOn(assigner.isWorking());
        }
    }

    /** Goes on soon with what the assigner moves without an order. */
    public void makeOwnMoves() {
        pace.goOn(!isStopped);
    }

    private boolean turn(BooleanSupplier hasTime) {
        if (isStopped) {
            return false;
        }
        assigner.step(hasTime);
        MDC.put(JobRepartitioning.GENERATION, Long.toString(assigner.generation()));
        afterTurn.run();
        task.changed(); // the engine may be another one
        return assigner.isWorking();
    }

    /** Updates the state for a checkpoint. */
    public void snapshot() throws Exception {
        state.update(assigner.generation(), assigner.moved());
    }

    /** Moves nothing any more. */
    public void stop() {
        isStopped = true;
        assigner.close();
    }
}
