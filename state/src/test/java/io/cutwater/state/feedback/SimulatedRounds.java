package io.cutwater.state.feedback;

import io.cutwater.state.feedback.move.FollowingAssigner;
import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.repartition.live.Repartitioning;
import io.cutwater.state.repartition.live.RepartitioningState;
import java.util.List;
import java.util.SplittableRandom;

/** Re-partitionings of simulated assigners, one after the other, with commands and plans made at random. */
final class SimulatedRounds implements SimulatedMover {
    private static final int MOST_PARTITIONS = 70; // more than a word of a replica set has

    private final LoopSimulation simulation;
    private final SplittableRandom random;
    private final RemotePlacement.Engine engine;
    private final RemotePlacement placement;
    private final Repartitioning job;
    private long millis;
    private boolean isStopped;

    /** Edges that an assigner has moved in a generation. */
    record Moved(long generation, long edges) {}

    /** The moves of an assigner but the first. */
    record Follower(LoopSimulation simulation, RemotePlacement.Engine engine, FollowingAssigner assigner, long[] millis)
            implements SimulatedMover {
        Follower(LoopSimulation simulation, RemotePlacement.Engine engine, ViewJoin join) {
            this(simulation, engine, join, new long[1]);
        }

        private Follower(LoopSimulation simulation, RemotePlacement.Engine engine, ViewJoin join, long[] millis) {
            this(
                    simulation,
                    engine,
                    new FollowingAssigner(
                            engine, join.requests(), () -> millis[0], simulation.last.repartitioning.generation()),
                    millis);
        }

        @Override
        public void step() {
            if (millis[0] >= 0) {
                millis[0] += simulation.random.nextInt(200);
                int[] left = {simulation.random.nextInt(1, 30)};
                long before = engine.placement().refinedEdges();
                assigner.step(() -> left[0]-- > 0);
                simulation.refined += Math.max(0, engine.placement().refinedEdges() - before); // it may be another one
            }
        }

        @Override
        public void stop() {
            millis[0] = -1;
            assigner.close();
        }

        @Override
        public void replied(Views reply) {
            assigner.replied(reply);
        }

        @Override
        public void snapshot(SimulatedCheckpoint into) {
            into.moved.add(new Moved(assigner.generation(), assigner.moved()));
        }
    }

    SimulatedRounds(LoopSimulation simulation, RemotePlacement.Engine engine, ViewJoin join, int assigners) {
        this.simulation = simulation;
        this.engine = engine;
        random = simulation.random;
        placement = new RemotePlacement(engine, join.requests(), assigners);
        long movedElsewhere = simulation.last.moved.stream()
                .filter(moved -> moved.generation() == simulation.last.repartitioning.generation())
                .mapToLong(Moved::edges)
                .sum();
        RepartitioningState restored = simulation.last.repartitioning.withMoved(movedElsewhere);
        job = new Repartitioning(placement, placement::plan, status -> {}, () -> millis, restored);
    }

    @Override
    public void step() {
        if (isStopped) {
            return;
        }
        millis += random.nextInt(200);
        if (!job.isRunning() && random.nextInt(simulation.refines ? 200 : 3) == 0) {
            long rate = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(1, 1_000);
            job.accept(
                    new JobCommand.Repartition("r" + simulation.commands++, wanted(), 1, rate, random.nextInt(8) == 0));
        } else if (job.isRunning() && simulation.aborts && random.nextInt(150) == 0) {
            job.accept(new JobCommand.Abort(job.status().id()));
        }
        int[] left = {random.nextInt(1, 30)};
        if (job.hasWork()) {
            int before = engine.partitions();
            long refined = engine.placement().refinedEdges();
            job.step(() -> left[0]-- > 0);
            simulation.refined += Math.max(0, engine.placement().refinedEdges() - refined); // it may be another one
            simulation.changesOfPartitions += engine.partitions() == before ? 0 : 1;
        }
    }

    private int wanted() {
        int now = engine.partitions();
        if (!engine.placement().canChangePartitions()) {
            return now;
        }
        return Math.max(1, Math.min(MOST_PARTITIONS, now + random.nextInt(-2, 4)));
    }

    @Override
    public void stop() {
        isStopped = true;
        job.close();
    }

    /** Returns the edges that have moved in all re-partitionings, as their statuses and the other assigners say. */
    long moved(List<SimulatedMover> all) {
        RepartitioningState now = job.snapshot();
        long moved =
                now.over().stream().mapToLong(RepartitionStatus::edgesMoved).sum();
        RepartitioningState.Running running = now.running();
        if (running == null || !running.hasBegun()) {
            return moved;
        }
        long elsewhere = all.stream()
                .filter(mover -> mover instanceof Follower)
                .map(mover -> ((Follower) mover).assigner())
                .filter(follower -> follower.generation() == now.generation())
                .mapToLong(FollowingAssigner::moved)
                .sum();
        return moved + running.status().edgesMoved() + elsewhere;
    }

    /** Returns how many have ended because all moves were made. */
    long done() {
        List<RepartitionStatus> over = job.snapshot().over();
        return over.stream().filter(status -> status.state() == PlanState.DONE).count();
    }

    @Override
    public void replied(Views reply) {
        placement.replied(reply);
    }

    @Override
    public void snapshot(SimulatedCheckpoint into) {
        into.repartitioning = job.snapshot();
    }
}
