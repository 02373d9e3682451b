package io.cutwater.state.repartition.live;

import static io.cutwater.state.repartition.live.RepartitioningFixture.EDGES;
import static io.cutwater.state.repartition.live.RepartitioningFixture.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Re-partitionings that are carried out, also over a crash. */
@Timeout(60)
class RepartitioningTest {
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
    void growsInStepsAndOpensWhatIsNewWhenTheLastEdgeHasMoved() {
        List<List<Long>> graph = run.placement.graph();
        run.job.accept(to(5));
        run.untilIn(PlanState.MOVING);
        assertThat(run.job.lastDone()).isNull();
        assertThat(run.placement.partitions).isEqualTo(5);
        assertThat(run.placement.open).isEqualTo(3);
        assertThat(run.placement.generation).isEqualTo(1);
        run.finish();

        assertThat(run.placement.open).isEqualTo(5);
        assertThat(run.placement.graph()).isEqualTo(graph);
        assertThat(run.statuses).extracting(RepartitionStatus::state).startsWith(PlanState.COLLECTING);
        RepartitionStatus end = run.last();
        assertThat(end.state()).isEqualTo(PlanState.DONE);
        assertThat(end.partitionsBefore()).isEqualTo(3);
        assertThat(end.partitions()).isEqualTo(5);
        assertThat(end.edges()).isEqualTo(EDGES);
        assertThat(end.edgesMoved()).isEqualTo(end.edgesToMove()).isPositive();
        assertThat(end.after())
                .isEqualTo(end.expected())
                .isEqualTo(run.placement.quality().ratios())
                .isNotEqualTo(end.before());
        assertThat(end.seconds()).isPositive();
        assertThat(run.job.lastDone()).isEqualTo(end);
        assertThat(run.job.snapshot().open()).isZero();
    }

    @Test
    void shrinksWithThePartitionsThatGoClosedFromTheBeginning() {
        run.job.accept(to(2));
        assertThat(run.placement.open).isEqualTo(2);
        while (run.job.isRunning()) {
            run.step();
            run.placement.stream(1);
            run.placement.lose(1);
        }
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.placement.partitions).isEqualTo(2);
        assertThat(run.placement.edges).hasSize(EDGES);
    }

    @Test
    void waitsForBufferedEdgesOfVerticesOnPartitionsThatGo() {
        run.placement.buffersLastVertices = true;
        run.job.accept(to(2));
        run.untilIn(PlanState.MOVING);
        for (int i = 0; i < 1_000; i++) {
            run.step();
        }
        assertThat(run.job.isRunning()).isTrue();
        run.placement.buffersLastVertices = false;
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.placement.partitions).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = PlanState.class,
            names = {"COLLECTING", "PLANNING", "MOVING"})
    void goesOnAfterACrashInWhateverPhase(PlanState phase) {
        for (int partitions : new int[] {5, 2, 3}) {
            run.restart();
            List<List<Long>> graph = run.placement.graph();
            run.job.accept(to(partitions));
            run.untilIn(phase);
            run.step();
            for (int crash = 0; crash < 3 && run.job.isRunning(); crash++) {
                RepartitioningState state = run.job.snapshot();
                run.job.close();
                run.restore(state);
                run.step();
            }
            run.finish();
            assertThat(run.last().state()).isEqualTo(PlanState.DONE);
            assertThat(run.last().edgesMoved()).isEqualTo(run.last().edgesToMove());
            assertThat(run.placement.partitions).isEqualTo(partitions);
            assertThat(run.placement.open).isEqualTo(partitions);
            assertThat(run.placement.generation).isEqualTo(1);
            assertThat(run.placement.graph()).isEqualTo(graph);
            assertThat(run.last().after()).isEqualTo(run.placement.quality().ratios());
        }
    }

    @Test
    void theBudgetHoldsOverACrash() {
        run.job.accept(new JobCommand.Repartition("a", 0, 0.05, Long.MAX_VALUE, false));
        run.untilIn(PlanState.MOVING);
        run.step();
        assertThat(run.job.status().edgesMoved()).isBetween(1L, EDGES / 20 - 1L);
        RepartitioningState state = run.job.snapshot();
        run.job.close();
        run.restore(state);
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.last().edgesMoved()).isBetween(1L, EDGES / 20L);
    }

    @Test
    void aDryRunChangesNothing() {
        List<ListedPlacement.Placed> edges = List.copyOf(run.placement.edges);
        run.job.accept(new JobCommand.Repartition("a", 2, 1, Long.MAX_VALUE, true));
        assertThat(run.placement.open).isEqualTo(3);
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.PLANNED);
        assertThat(run.last().partitions()).isEqualTo(2);
        assertThat(run.last().edgesToMove()).isGreaterThanOrEqualTo(EDGES / 4);
        assertThat(run.last().expected()).isNotEmpty();
        assertThat(run.placement.edges).isEqualTo(edges);
        assertThat(run.placement.generation).isZero();
        assertThat(run.placement.partitions).isEqualTo(3);
    }

    @Test
    void whatIsOverIsToldAgainAndNotDoneAgain() {
        run.job.accept(to(5));
        run.finish();
        RepartitionStatus end = run.last();
        run.restore(run.job.snapshot());
        run.job.accept(to(5));
        assertThat(run.job.isRunning()).isFalse();
        assertThat(run.last()).isEqualTo(end);
    }

    @Test
    void aJobWithoutEdgesHasItsNewPartitionsAtOnce() {
        run.restart(new ListedPlacement(3, 1));
        run.job.accept(to(5));
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.placement.partitions).isEqualTo(5);
        run.job.accept(new JobCommand.Repartition("b", 1, 1, Long.MAX_VALUE, false));
        run.finish();
        assertThat(run.last().state()).isEqualTo(PlanState.DONE);
        assertThat(run.placement.partitions).isEqualTo(1);
    }

    @Test
    void movesNoFasterThanAsked() {
        run.job.accept(new JobCommand.Repartition("a", 5, 1, 100, false));
        run.untilIn(PlanState.MOVING);
        long before = run.millis;
        while (run.job.isRunning()) {
            run.step();
            if (run.job.isRunning()) {
                assertThat(run.job.status().edgesMoved()).isLessThanOrEqualTo((run.millis - before) / 10);
            }
        }
        assertThat((run.millis - before) / 10).isGreaterThanOrEqualTo(run.last().edgesMoved());
    }

    @Test
    void theScratchFolderIsEmptyAtTheEnd() {
        run.job.accept(to(5));
        run.untilIn(PlanState.MOVING);
        assertThat(temporary).isNotEmptyDirectory();
        run.finish();
        assertThat(temporary).isEmptyDirectory();
    }
}
