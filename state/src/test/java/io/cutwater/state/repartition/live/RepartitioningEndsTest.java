package io.cutwater.state.repartition.live;

import static io.cutwater.state.repartition.live.RepartitioningFixture.EDGES;
import static io.cutwater.state.repartition.live.RepartitioningFixture.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Re-partitionings that a job begins by itself, refuses or aborts. */
@Timeout(60)
class RepartitioningEndsTest {
    @TempDir
    private Path temporary;

    private RepartitioningFixture run;

    @BeforeEach
    void begin() {
        run = new RepartitioningFixture(temporary);
    }

    @AfterEach
    void close() {
        run.close();
    }

    @Test
    void aJobOfItsOwnAccordMovesWhatIsWorthItAndThenLooksAwayUntilItIsWorseAgain() {
        run.job.checkDrift(0);
        assertThat(run.job.isRunning()).isFalse();
        run.job.checkDrift(0.2);
        run.finish();
        assertThat(run.last().id()).isEqualTo("auto-1");
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.last().edgesMoved()).isBetween(1L, EDGES / 5L);

        run.restore(run.job.snapshot());
        run.job.checkDrift(0.2);
        run.placement.stream(EDGES / 200);
        run.job.checkDrift(0.2);
        assertThat(run.job.isRunning()).isFalse();
        run.placement.stream(2 * EDGES);
        run.job.checkDrift(0.2);
        run.finish();
        assertThat(run.last().id()).isEqualTo("auto-2");
    }

    @Test
    void aPlanOfItsOwnThatGainsTooLittleIsNotCarriedOut() {
        run.job.checkDrift(0.0005);
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.PLANNED);
        assertThat(run.last().reason()).isEqualTo("the plan gains too little to be carried out");
        assertThat(run.last().budget()).isEqualTo(0.0005);
        assertThat(run.placement.generation).isZero();
    }

    @Test
    void anIdOfAnotherCommandIsRefusedAndItsStatusKept() {
        run.job.accept(to(5));
        run.finish();
        RepartitionStatus done = run.last();
        run.job.accept(to(6));
        assertThat(run.last())
                .returns(PlanState.REFUSED, RepartitionStatus::state)
                .returns(
                        "id a belongs to a re-partitioning to 5 partitions and not to 6, which is done; give another id",
                        RepartitionStatus::reason);
        run.job.accept(new JobCommand.Repartition("a", 0, 1, Long.MAX_VALUE, true));
        assertThat(run.last().reason()).contains("that is done, and not to a dry run; give another id");
        run.job.accept(to(5));
        assertThat(run.last()).isEqualTo(done);
        run.job.accept(new JobCommand.Repartition("a", 0, 0.5, 1, false)); // to follow it
        assertThat(run.last()).isEqualTo(done);

        run.job.accept(new JobCommand.Repartition("dry", 0, 1, Long.MAX_VALUE, true));
        run.finish();
        RepartitionStatus planned = run.last();
        run.job.accept(new JobCommand.Repartition("dry", 0, 1, Long.MAX_VALUE, true));
        assertThat(run.last()).isEqualTo(planned);
        run.job.accept(new JobCommand.Repartition("dry", 0, 1, Long.MAX_VALUE, false));
        assertThat(run.last().reason())
                .contains("id dry belongs to a dry run, which has moved nothing; give another id");
        assertThat(run.placement.partitions).isEqualTo(5);
    }

    @Test
    void oneRunsAtATime() {
        run.job.accept(to(5));
        run.job.accept(new JobCommand.Repartition("b", 7, 1, Long.MAX_VALUE, false));
        assertThat(run.last())
                .isEqualTo(
                        RepartitionStatus.refused("b", 0, 3, "re-partitioning a runs; wait for its end, or abort it"));
        run.job.accept(to(5));
        assertThat(run.last().id()).isEqualTo("a");
        run.finish();
        assertThat(run.placement.partitions).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlanState.class,
            names = {"COLLECTING", "PLANNING", "MOVING"})
    void whatHasMovedStaysAfterAnAbortAndNothingIsClosed(PlanState phase) {
        for (int partitions : new int[] {5, 2}) {
            run.restart();
            run.job.accept(to(partitions));
            run.untilIn(phase);
            run.step();
            run.job.accept(new JobCommand.Abort("a"));
            assertThat(run.job.isRunning()).isFalse();
            assertThat(run.last().state()).isEqualTo(PlanState.ABORTED);
            int expected = phase == PlanState.MOVING && partitions == 5 ? 5 : 3;
            assertThat(run.placement.partitions)
                    .isEqualTo(expected)
                    .isEqualTo(run.last().partitions());
            assertThat(run.placement.open).isEqualTo(expected);
            assertThat(run.placement.edges).hasSize(EDGES);
        }
    }

    @Test
    void aBudgetThatDoesNotEmptyWhatGoesIsRefused() {
        run.job.accept(new JobCommand.Repartition("a", 2, 0.01, Long.MAX_VALUE, false));
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.REFUSED);
        assertThat(run.last().reason())
                .isEqualTo("a budget of 0.01 does not empty the partitions that are to go; give more");
        assertThat(run.placement.open).isEqualTo(3);
        assertThat(run.placement.generation).isZero();
    }

    @Test
    void aPlacementThatCannotChangeSaysSo() {
        run.placement.refusal = "no edges are kept";
        run.job.accept(to(5));
        assertThat(run.last()).isEqualTo(RepartitionStatus.refused("a", 0, 3, "no edges are kept"));
        run.job.accept(new JobCommand.Abort("c"));
        assertThat(run.last().reason()).isEqualTo("there is no re-partitioning of that id");
    }

    @Test
    void aPlanThatFailsEndsTheRoundAndNotTheJob() throws Exception {
        run.job.close();
        Path file = Files.createFile(temporary.resolve("file"));
        run.job = run.over(RepartitioningState.NONE, file);
        run.job.accept(to(2));
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.ABORTED);
        assertThat(run.last().reason()).contains("file");
        assertThat(run.placement.open).isEqualTo(3);
    }
}
