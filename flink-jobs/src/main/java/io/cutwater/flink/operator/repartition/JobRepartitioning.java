package io.cutwater.flink.operator.repartition;

import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.operator.assigner.TurnPace;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.LivePlacement;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.PlanThread;
import io.cutwater.state.repartition.live.PlanWork;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.Repartitioning;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The re-partitionings of a job in the task of its only assigner, or of its first one: their state in checkpoints, the
 * thread that plans, the time slices between the batches, and their metrics.
 */
public final class JobRepartitioning {
    /** The reason why a job that keeps no edges refuses commands. */
    public static final String NO_EDGES = "the job keeps no edges; submit it with --keep-edges";

    private static final Logger LOG = LoggerFactory.getLogger(JobRepartitioning.class);
    /** Key of the context of a task's log events. */
    static final String GENERATION = "generation";

    private final AssignerOperator<?> task;
    private final AssignOptions options;
    private final double ownBudget;
    private final StoredRepartitioning state;
    private final LivePlacement placement;
    private final Repartitioning.PlanStarter plans;
    private volatile Repartitioning repartitioning; // another one if a job of the other topology has left something
    private final Runnable afterTurn;
    private final TurnPace pace;
    private Map.Entry<String, PlanState> logged = Map.entry("", PlanState.REFUSED);
    private boolean isStopped;

    /**
     * @param ownBudget share of the edges that a re-partitioning of its own may move; 0 for none of its own
     * @param plans begins plans; null to plan in this task
     * @param state of earlier re-partitionings, which the placement goes on from
     * @param afterTurn called at the end of each time slice
     */
    public JobRepartitioning(
            AssignerOperator<?> task,
            AssignOptions options,
            double ownBudget,
            LivePlacement placement,
            Repartitioning.@Nullable PlanStarter plans,
            StoredRepartitioning state,
            Runnable afterTurn) {
        this.task = task;
        this.options = options;
        this.ownBudget = ownBudget;
        this.afterTurn = afterTurn;
        this.state = state;
        this.placement = placement;
        this.plans = plans == null ? this::plan : plans;
        repartitioning = new Repartitioning(placement, this.plans, this::publish, task::nowMillis, state.restored());
        pace = new TurnPace(task.getProcessingTimeService(), this::turn);
    }

    /** Goes on with what a job of the other topology has left; call it before the first command. */
    public void takeOver(RepartitioningState left) {
        repartitioning = new Repartitioning(placement, plans, this::publish, task::nowMillis, left);
        MDC.put(GENERATION, Long.toString(repartitioning.generation()));
        pace.goOn(repartitioning.hasWork());
    }

    private void publish(RepartitionStatus status) {
        task.emit(AssignerOperator.PLANS, status);
        MDC.put(GENERATION, Long.toString(repartitioning.generation()));
        if (!status.id().equals(logged.getKey()) || status.state() != logged.getValue()) {
            logged = Map.entry(status.id(), status.state());
            LOG.info(
                    "re-partitioning {} from {} to {} partitions is {}; {} of {} edges to move have moved{}",
                    status.id(),
                    status.partitionsBefore(),
                    status.partitions(),
                    status.state(),
                    status.edgesMoved(),
                    status.edgesToMove(),
                    status.reason().isEmpty() ? "" : ": " + status.reason());
        }
    }

    /** Returns the reason why nothing can be moved, for users; empty if it can. */
    public static String refusal(Placement placement, AssignOptions options) {
        if (!placement.keepsEdges()) {
            return NO_EDGES;
        }
        return placement.canChangePartitions()
                ? ""
                : "%s cannot leave partitions alone while edges move; submit the job with --algorithm cutwater"
                        .formatted(options.partitioner().algorithm());
    }

    private PlanWork plan(int partitions, int before, double budget) {
        RepartitionRequest request =
                new RepartitionRequest(options.partitioner().withPartitions(partitions), before, budget);
        return new PlanThread(request, temporaryFolder(task), planName(task));
    }

    /** Returns the folder of a task for the scratch files of plans. */
    public static Path temporaryFolder(AbstractStreamOperator<?> task) {
        Configuration settings =
                task.getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration();
        return Path.of(ConfigurationUtils.parseTempDirectories(settings)[0]);
    }

    /** Returns the name of the folder of a job's plan. */
    public static String planName(AbstractStreamOperator<?> task) {
        return task.getRuntimeContext().getJobInfo().getJobId() + "-plan";
    }

    /** Registers metrics, and goes on with what a checkpoint had. */
    public void open(MetricGroup metrics) {
        new RepartitioningMetrics(() -> repartitioning).register(metrics);
        MDC.put(GENERATION, Long.toString(repartitioning.generation()));
        pace.goOn(repartitioning.hasWork());
    }

    public void accept(JobCommand command) {
        repartitioning.accept(command);
        pace.goOn(repartitioning.hasWork());
    }

    /** Begins a re-partitioning of the job's own if the graph has changed enough. */
    public void checkDrift() {
        repartitioning.checkDrift(ownBudget);
        pace.goOn(repartitioning.hasWork());
    }

    /** Goes on soon with what the placement moves without a plan. */
    public void makeOwnMoves() {
        pace.goOn(!isStopped);
    }

    /** Runs one time slice; returns whether work remains. */
    private boolean turn(BooleanSupplier hasTime) {
        if (isStopped) {
            return false;
        }
        repartitioning.step(hasTime);
        afterTurn.run();
        task.changed(); // the engine may be another one
        return repartitioning.hasWork();
    }

    /** Updates the state for a checkpoint. */
    public void snapshot() throws Exception {
        state.update(repartitioning.snapshot());
    }

    /** Moves nothing any more, and ends the planning; a checkpoint still has what ran. */
    public void stop() {
        isStopped = true;
        repartitioning.close();
    }
}
