package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.live.EdgeMover;
import io.cutwater.state.repartition.live.EdgeScan;
import io.cutwater.state.repartition.live.PlanWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Re-partitionings of a simulated assigner, one after the other, with plans that are made at random. */
final class SimulatedMoves implements SimulatedMover {
    private static final int MOST_PARTITIONS = 70; // more than a word of a replica set has
    private final LoopSimulation simulation;
    private final SplittableRandom random;
    private final RemotePlacement placement;
    private final RemotePlacement.Engine engine;
    private final int[] places;
    private int wanted; // k of the plan
    private @Nullable PlanWork plan;
    private @Nullable EdgeScan scan;
    private @Nullable EdgeMover mover;
    private boolean isStopped;

    /** @param places where each edge is, see {@link SimulatedAssigners.PlacedOnce} */
    SimulatedMoves(LoopSimulation simulation, RemotePlacement.Engine engine, ViewJoin join, int[] places) {
        this.simulation = simulation;
        this.places = places;
        random = simulation.random;
        this.engine = engine;
        placement = new RemotePlacement(engine, join.requests(), 1);
    }

    @Override
    public void step() {
        if (isStopped) {
            return;
        }
        try {
            if (mover != null) {
                move(mover);
            } else if (plan != null) {
                plan(plan);
            } else if (placement.hasMovesOfItsOwn() && random.nextInt(40) > 0) {
                int[] left = {random.nextInt(1, 30)};
                long before = engine.placement().refinedEdges();
                placement.makeOwnMoves(() -> left[0]-- > 0);
                simulation.refined += engine.placement().refinedEdges() - before;
            } else if (random.nextInt(3) == 0) {
                int now = engine.partitions();
                wanted = mayChangePartitions() ? now + random.nextInt(3) : now;
                plan = placement.plan(wanted, now, 1);
                scan = placement.scan();
            } else if (random.nextInt(3) == 0 && mayChangePartitions()) {
                shrink();
            } else {
                mover = placement.mover(Moves.of(guesses()), Long.MAX_VALUE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean mayChangePartitions() {
        return engine.placement().canChangePartitions() && engine.partitions() < MOST_PARTITIONS;
    }

    /** Removes the last partition if nothing is there. */
    private void shrink() {
        int fewer = engine.partitions() - 1;
        if (fewer > 0 && placement.isEmptyFrom(fewer)) {
            placement.setPartitions(fewer);
            simulation.changesOfPartitions++;
        }
    }

    /** Returns moves of edges that may be there, most of them from where they are. */
    private EdgeBatch guesses() {
        EdgeBatch moves = new EdgeBatch();
        int partitions = engine.partitions();
        for (int i = random.nextInt(1, 40); i > 0; i--) {
            int edge = random.nextInt(simulation.graph.size());
            boolean isOfTarget = simulation.options.kind().hasOwners() && random.nextBoolean();
            long source = isOfTarget ? simulation.graph.target(edge) : simulation.graph.source(edge);
            int at = places[edge] < 0
                    ? random.nextInt(partitions)
                    : isOfTarget ? Place.ofTarget(places[edge]) : Place.ofSource(places[edge]);
            for (int copies = random.nextInt(1, 4); copies > 0; copies--) {
                moves.add(source, simulation.graph.target(edge));
                moves.setPlace(moves.size() - 1, Place.of(at, random.nextInt(partitions)));
            }
        }
        return moves;
    }

    private void plan(PlanWork tables) throws IOException {
        RepartitionPlan made = tables.result();
        if (scan != null) {
            assertThat(scan.next(() -> true).isEmpty()).isTrue();
            if (scan.isOver()) {
                scan = null;
                tables.plan();
            }
        } else if (made != null) {
            assertThat(made.expected()).isEqualTo(made.before());
            assertThat(made.expected().perPartition().get(wanted - 1).edges()).isEqualTo(2L * (wanted - 1));
            if (wanted > engine.partitions()) {
                placement.setPartitions(wanted);
                simulation.changesOfPartitions++;
            }
            mover = placement.mover(tables.moves(), Long.MAX_VALUE);
        }
        if (random.nextInt(200) == 0) {
            end();
        }
    }

    private void end() {
        if (mover != null) {
            mover.close();
            mover = null;
        }
        if (plan != null) {
            plan.close();
            plan = null;
            scan = null;
        }
    }

    private void move(EdgeMover edges) throws IOException {
        int[] left = {random.nextInt(1, 30)};
        simulation.moved += edges.step(random.nextInt(1, 60), () -> left[0]-- > 0);
        if (edges.isOver() || random.nextInt(60) == 0) {
            end();
        }
    }

    @Override
    public void stop() {
        isStopped = true;
        placement.stopOwnMoves();
        end();
    }

    @Override
    public void replied(Views reply) {
        placement.replied(reply);
    }
}
