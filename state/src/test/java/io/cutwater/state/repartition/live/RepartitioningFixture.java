package io.cutwater.state.repartition.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.repartition.RepartitionRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A job that re-partitions: real plans in a real scratch folder, over a placement that is a list. */
final class RepartitioningFixture implements AutoCloseable {
    static final int EDGES = 2000;

    final List<RepartitionStatus> statuses = new ArrayList<>();
    private final Path scratch;
    ListedPlacement placement;
    Repartitioning job;
    long millis = 1_000_000;

    RepartitioningFixture(Path scratch) {
        this.scratch = scratch;
        placement = placement(3);
        job = over(RepartitioningState.NONE, scratch);
    }

    private static ListedPlacement placement(int partitions) {
        ListedPlacement placement = new ListedPlacement(partitions, 5);
        placement.stream(EDGES);
        return placement;
    }

    /** Begins with another placement. */
    void restart(ListedPlacement other) {
        job.close();
        placement = other;
        job = over(RepartitioningState.NONE, scratch);
    }

    /** Begins with a placement of three partitions. */
    void restart() {
        restart(placement(3));
    }

    /** Goes on from a state. */
    void restore(RepartitioningState state) {
        job = over(state, scratch);
    }

    Repartitioning over(RepartitioningState state, Path folder) {
        return new Repartitioning(
                placement,
                (partitions, before, budget) -> new PlanThread(
                        new RepartitionRequest(PartitionerOptions.ofEdges("cutwater", partitions, 7), before, budget),
                        folder,
                        "test"),
                statuses::add,
                () -> millis,
                state);
    }

    static JobCommand.Repartition to(int partitions) {
        return new JobCommand.Repartition("a", partitions, 1, Long.MAX_VALUE, false);
    }

    RepartitionStatus last() {
        return statuses.get(statuses.size() - 1);
    }

    /** Returns a time limit of a number of looks at the clock. */
    private static BooleanSupplier time(int looks) {
        int[] left = {looks};
        return () -> left[0]-- > 0;
    }

    void step() {
        millis += 100;
        job.step(time(40));
        if (job.status() != null && job.status().state() == PlanState.PLANNING) {
            LockSupport.parkNanos(100_000);
        }
    }

    void untilIn(PlanState state) {
        while (job.status() != null && job.status().state() != state) {
            step();
        }
        assertThat(job.isRunning()).isTrue();
    }

    void finish() {
        while (job.isRunning()) {
            step();
        }
    }

    @Override
    public void close() {
        job.close();
    }
}
