package io.cutwater.state.repartition.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.repartition.RepartitionRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real plans in a real scratch folder, over a placement that is a list. */
@Timeout(60)
class RepartitioningTest {
    private static final int EDGES = 2000;

    @TempDir
    private Path temporary;

    private final List<RepartitionStatus> statuses = new ArrayList<>();
    private ListedPlacement placement = placement(3);
    private Repartitioning job = over(RepartitioningState.NONE);
    private long millis = 1_000_000;

    private static ListedPlacement placement(int partitions) {
        ListedPlacement placement = new ListedPlacement(partitions, 5);
        placement.stream(EDGES);
        return placement;
    }

    @AfterEach
    void close() {
        job.close();
    }

    private Repartitioning over(RepartitioningState state) {
        return new Repartitioning(
                placement,
                (partitions, before, budget) -> new PlanThread(
                        new RepartitionRequest(PartitionerOptions.ofEdges("cutwater", partitions, 7), before, budget),
                        temporary,
                        "test"),
                statuses::add,
                () -> millis,
                state);
    }

    private static JobCommand.Repartition to(int partitions) {
        return new JobCommand.Repartition("a", partitions, 1, Long.MAX_VALUE, false);
    }

    private RepartitionStatus last() {
        return statuses.get(statuses.size() - 1);
    }

    /** Time for so many looks at the clock. */
    private static BooleanSupplier time(int looks) {
        int[] left = {looks};
        return () -> left[0]-- > 0;
    }

    private void step() {
        millis += 100;
        job.step(time(40));
        if (job.status() != null && job.status().state() == PlanState.PLANNING) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void untilIn(PlanState state) {
        while (job.status() != null && job.status().state() != state) {
            step();
        }
        assertThat(job.isRunning()).isTrue();
    }

    private void finish() {
        while (job.isRunning()) {
            step();
        }
    }

    @Test
    void growsInStepsAndOpensWhatIsNewWhenTheLastEdgeHasMoved() {
        List<List<Long>> graph = placement.graph();
        job.accept(to(5));
        untilIn(PlanState.MOVING);
        assertThat(placement.partitions).isEqualTo(5);
        assertThat(placement.open).isEqualTo(3);
        assertThat(placement.generation).isEqualTo(1);
        finish();

        assertThat(placement.open).isEqualTo(5);
        assertThat(placement.graph()).isEqualTo(graph);
        assertThat(statuses).extracting(RepartitionStatus::state).startsWith(PlanState.COLLECTING);
        RepartitionStatus end = last();
        assertThat(end.state()).isEqualTo(PlanState.DONE);
        assertThat(end.partitionsBefore()).isEqualTo(3);
        assertThat(end.partitions()).isEqualTo(5);
        assertThat(end.edges()).isEqualTo(EDGES);
        assertThat(end.edgesMoved()).isEqualTo(end.edgesToMove()).isPositive();
        assertThat(end.after())
                .isEqualTo(end.expected())
                .isEqualTo(placement.quality().ratios())
                .isNotEqualTo(end.before());
        assertThat(end.seconds()).isPositive();
        assertThat(job.snapshot().open()).isZero();
    }

    @Test
    void shrinksWithThePartitionsThatGoClosedFromTheBeginning() {
        job.accept(to(2));
        assertThat(placement.open).isEqualTo(2);
        while (job.isRunning()) {
            step();
            placement.stream(1);
            placement.lose(1);
        }
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(placement.partitions).isEqualTo(2);
        assertThat(placement.edges).hasSize(EDGES);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlanState.class,
            names = {"COLLECTING", "PLANNING", "MOVING"})
    void goesOnAfterACrashInWhateverPhase(PlanState phase) {
        for (int partitions : new int[] {5, 2, 3}) {
            placement = placement(3);
            job = over(RepartitioningState.NONE);
            List<List<Long>> graph = placement.graph();
            job.accept(to(partitions));
            untilIn(phase);
            step();
            for (int crash = 0; crash < 3 && job.isRunning(); crash++) {
                RepartitioningState state = job.snapshot();
                job.close();
                job = over(state);
                step();
            }
            finish();
            assertThat(last().state()).isEqualTo(PlanState.DONE);
            assertThat(last().edgesMoved()).isEqualTo(last().edgesToMove());
            assertThat(placement.partitions).isEqualTo(partitions);
            assertThat(placement.open).isEqualTo(partitions);
            assertThat(placement.generation).isEqualTo(1);
            assertThat(placement.graph()).isEqualTo(graph);
            assertThat(last().after()).isEqualTo(placement.quality().ratios());
            job.close();
        }
    }

    @Test
    void theBudgetHoldsOverACrash() {
        job.accept(new JobCommand.Repartition("a", 0, 0.05, Long.MAX_VALUE, false));
        untilIn(PlanState.MOVING);
        step();
        assertThat(job.status().edgesMoved()).isBetween(1L, EDGES / 20 - 1L);
        RepartitioningState state = job.snapshot();
        job.close();
        job = over(state);
        finish();
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(last().edgesMoved()).isBetween(1L, EDGES / 20L);
    }

    @Test
    void aDryRunChangesNothing() {
        List<ListedPlacement.Placed> edges = List.copyOf(placement.edges);
        job.accept(new JobCommand.Repartition("a", 2, 1, Long.MAX_VALUE, true));
        assertThat(placement.open).isEqualTo(3);
        finish();
        assertThat(last().state()).isEqualTo(PlanState.PLANNED);
        assertThat(last().partitions()).isEqualTo(2);
        assertThat(last().edgesToMove()).isGreaterThanOrEqualTo(EDGES / 4);
        assertThat(last().expected()).isNotEmpty();
        assertThat(placement.edges).isEqualTo(edges);
        assertThat(placement.generation).isZero();
        assertThat(placement.partitions).isEqualTo(3);
    }

    @Test
    void whatIsOverIsToldAgainAndNotDoneAgain() {
        job.accept(to(5));
        finish();
        RepartitionStatus end = last();
        job = over(job.snapshot());
        job.accept(to(5));
        assertThat(job.isRunning()).isFalse();
        assertThat(last()).isEqualTo(end);
    }

    @Test
    void aJobOfItsOwnAccordMovesWhatIsWorthItAndThenLooksAwayUntilItIsWorseAgain() {
        job.checkDrift(0);
        assertThat(job.isRunning()).isFalse();
        job.checkDrift(0.2);
        finish();
        assertThat(last().id()).isEqualTo("auto-1");
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(last().edgesMoved()).isBetween(1L, EDGES / 5L);

        job = over(job.snapshot());
        job.checkDrift(0.2);
        placement.stream(EDGES / 200);
        job.checkDrift(0.2);
        assertThat(job.isRunning()).isFalse();
        placement.stream(2 * EDGES);
        job.checkDrift(0.2);
        finish();
        assertThat(last().id()).isEqualTo("auto-2");
    }

    @Test
    void aPlanOfItsOwnThatGainsTooLittleIsNotCarriedOut() {
        job.checkDrift(0.0005);
        finish();
        assertThat(last().state()).isEqualTo(PlanState.PLANNED);
        assertThat(last().reason()).isEqualTo("the plan gains too little to be carried out");
        assertThat(placement.generation).isZero();
    }

    @Test
    void oneRunsAtATime() {
        job.accept(to(5));
        job.accept(new JobCommand.Repartition("b", 7, 1, Long.MAX_VALUE, false));
        assertThat(last())
                .isEqualTo(
                        RepartitionStatus.refused("b", 0, 3, "re-partitioning a runs; wait for its end, or abort it"));
        job.accept(to(5));
        assertThat(last().id()).isEqualTo("a");
        finish();
        assertThat(placement.partitions).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlanState.class,
            names = {"COLLECTING", "PLANNING", "MOVING"})
    void whatHasMovedStaysAfterAnAbortAndNothingIsClosed(PlanState phase) {
        for (int partitions : new int[] {5, 2}) {
            placement = placement(3);
            job = over(RepartitioningState.NONE);
            job.accept(to(partitions));
            untilIn(phase);
            step();
            job.accept(new JobCommand.Abort("a"));
            assertThat(job.isRunning()).isFalse();
            assertThat(last().state()).isEqualTo(PlanState.ABORTED);
            int expected = phase == PlanState.MOVING && partitions == 5 ? 5 : 3;
            assertThat(placement.partitions).isEqualTo(expected).isEqualTo(last().partitions());
            assertThat(placement.open).isEqualTo(expected);
            assertThat(placement.edges).hasSize(EDGES);
            job.close();
        }
    }

    @Test
    void aBudgetThatDoesNotEmptyWhatGoesIsRefused() {
        job.accept(new JobCommand.Repartition("a", 2, 0.01, Long.MAX_VALUE, false));
        finish();
        assertThat(last().state()).isEqualTo(PlanState.REFUSED);
        assertThat(last().reason())
                .isEqualTo("a budget of 0.01 does not empty the partitions that are to go; give more");
        assertThat(placement.open).isEqualTo(3);
        assertThat(placement.generation).isZero();
    }

    @Test
    void aPlacementThatCannotChangeSaysSo() {
        placement.refusal = "no edges are kept";
        job.accept(to(5));
        assertThat(last()).isEqualTo(RepartitionStatus.refused("a", 0, 3, "no edges are kept"));
        job.accept(new JobCommand.Abort("c"));
        assertThat(last().reason()).isEqualTo("there is no re-partitioning of that id");
    }

    @Test
    void aJobWithoutEdgesHasItsNewPartitionsAtOnce() {
        placement = new ListedPlacement(3, 1);
        job = over(RepartitioningState.NONE);
        job.accept(to(5));
        finish();
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(placement.partitions).isEqualTo(5);
        job.accept(new JobCommand.Repartition("b", 1, 1, Long.MAX_VALUE, false));
        finish();
        assertThat(last().state()).isEqualTo(PlanState.DONE);
        assertThat(placement.partitions).isEqualTo(1);
    }

    @Test
    void movesNoFasterThanAsked() {
        job.accept(new JobCommand.Repartition("a", 5, 1, 100, false));
        untilIn(PlanState.MOVING);
        long before = millis;
        while (job.isRunning()) {
            step();
            if (job.isRunning()) {
                assertThat(job.status().edgesMoved()).isLessThanOrEqualTo((millis - before) / 10);
            }
        }
        assertThat((millis - before) / 10).isGreaterThanOrEqualTo(last().edgesMoved());
    }

    @Test
    void aPlanThatFailsEndsTheRoundAndNotTheJob() throws Exception {
        job.close();
        Path file = Files.createFile(temporary.resolve("file"));
        job = new Repartitioning(
                placement,
                (partitions, before, budget) -> new PlanThread(
                        new RepartitionRequest(PartitionerOptions.ofEdges("cutwater", partitions, 7), before, budget),
                        file,
                        "test"),
                statuses::add,
                () -> millis,
                RepartitioningState.NONE);
        job.accept(to(2));
        finish();
        assertThat(last().state()).isEqualTo(PlanState.ABORTED);
        assertThat(last().reason()).contains("file");
        assertThat(placement.open).isEqualTo(3);
    }

    @Test
    void theScratchFolderIsEmptyAtTheEnd() {
        job.accept(to(5));
        untilIn(PlanState.MOVING);
        assertThat(temporary).isNotEmptyDirectory();
        finish();
        assertThat(temporary).isEmptyDirectory();
    }
}
