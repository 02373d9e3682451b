package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.live.EdgeMover;
import io.cutwater.state.repartition.live.EdgeScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Re-partitionings of a simulated assigner, one after the other, with plans that are made at random. */
final class SimulatedMoves {
    private final LoopSimulation simulation;
    private final SplittableRandom random;
    private final RemotePlacement placement;
    private final int partitions;
    private final int[] places;
    private EdgeBatch planned = new EdgeBatch();
    private @Nullable EdgeScan scan;
    private @Nullable EdgeMover mover;
    private boolean isStopped;

    /** @param places where each edge is, see {@link SimulatedAssigners.PlacedOnce} */
    SimulatedMoves(LoopSimulation simulation, Placement engine, ViewJoin join, int[] places) {
        this.simulation = simulation;
        this.places = places;
        random = simulation.random;
        partitions = simulation.options.partitionCount();
        PlacedEdges into = new SimulatedAssigners.PlacedOnce(places);
        placement = new RemotePlacement(engine, partitions, join.requests(), into, generation -> {}, "");
    }

    /** The moves of a plan in memory. */
    private static final class Planned implements Moves {
        private final EdgeBatch moves;
        private int next = -1;

        Planned(EdgeBatch moves) {
            this.moves = moves;
        }

        @Override
        public boolean next() {
            next = Math.min(next + 1, moves.size());
            return next < moves.size();
        }

        @Override
        public long source() {
            return moves.source(next);
        }

        @Override
        public long target() {
            return moves.target(next);
        }

        @Override
        public int from() {
            return Place.ofSource(moves.place(next));
        }

        @Override
        public int to() {
            return Place.ofTarget(moves.place(next));
        }

        @Override
        public void close() {}
    }

    void step() {
        if (isStopped) {
            return;
        }
        try {
            if (mover != null) {
                move(mover);
            } else if (scan != null) {
                collect(scan);
            } else if (random.nextInt(3) == 0) {
                planned = new EdgeBatch();
                scan = placement.scan();
            } else {
                mover = placement.mover(new Planned(guesses()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns moves of edges that may be there, most of them from where they are. */
    private EdgeBatch guesses() {
        EdgeBatch moves = new EdgeBatch();
        for (int i = random.nextInt(1, 40); i > 0; i--) {
            int edge = random.nextInt(simulation.graph.size());
            int at = places[edge] >= 0 ? Place.ofSource(places[edge]) : random.nextInt(partitions);
            for (int copies = random.nextInt(1, 4); copies > 0; copies--) {
                moves.add(simulation.graph.source(edge), simulation.graph.target(edge));
                moves.setPlace(moves.size() - 1, Place.of(at, random.nextInt(partitions)));
            }
        }
        return moves;
    }

    private void collect(EdgeScan edges) {
        EdgeBatch some = edges.next(() -> true);
        for (int i = 0; i < some.size(); i++) {
            int from = Place.ofSource(some.place(i));
            assertThat(from).isBetween(0, partitions - 1);
            if (random.nextInt(3) > 0) {
                // Some are elsewhere by now, or never were.
                int at = random.nextInt(20) == 0 ? random.nextInt(partitions) : from;
                planned.add(some.source(i), some.target(i));
                planned.setPlace(planned.size() - 1, Place.of(at, random.nextInt(partitions)));
            }
        }
        if (edges.isOver()) {
            scan = null;
            mover = placement.mover(new Planned(planned));
        }
    }

    private void move(EdgeMover edges) throws IOException {
        int[] left = {random.nextInt(1, 30)};
        simulation.moved += edges.step(random.nextInt(1, 60), () -> left[0]-- > 0);
        if (edges.isOver() || random.nextInt(60) == 0) {
            edges.close();
            mover = null;
        }
    }

    /** Nothing moves any more. */
    void stop() {
        isStopped = true;
        if (mover != null) {
            mover.close();
        }
    }

    void replied(Views reply) {
        placement.replied(reply);
    }
}
