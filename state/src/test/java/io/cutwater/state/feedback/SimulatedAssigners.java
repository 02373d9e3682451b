package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.SimulatedCheckpoint.LineageState;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.feedback.move.RemotePlacement;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgeRuns;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.placement.ShortLag;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tasks of an attempt that place edges. */
final class SimulatedAssigners {
    /** Edges of a piece of a checkpoint, which one assigner gets. */
    private static final int BUFFERED_PIECE = 7;

    private final LoopSimulation simulation;
    private final SimulatedChannels channels;
    private final List<ViewJoin> joins = new ArrayList<>();
    private final List<PartitionLoads> loads = new ArrayList<>();
    private final List<Deque<VertexUpdate>> unsent = new ArrayList<>();
    private final List<Placement> engines = new ArrayList<>();
    private final List<WriteBack> caches = new ArrayList<>();
    private final List<VertexTable> workspaces = new ArrayList<>();

    /** Checks that an assigner finds the ends of edges where the task that asks for views expects them. */
    private void requireSlots(int assigner, EdgeBatch batch) {
        assertThat(batch.slots()).hasSize(simulation.tellsSlots() ? 2 * batch.size() : 0);
        for (int end = 0; end < batch.slots().length; end++) {
            long vertex = end % 2 == 0 ? batch.source(end / 2) : batch.target(end / 2);
            assertThat(workspaces.get(assigner).vertex(batch.slots()[end])).isEqualTo(vertex);
        }
    }

    private final List<RemoteEdges> keptEdges = new ArrayList<>();
    /** Re-partitionings in each assigner, if the simulation has some. */
    private final List<SimulatedMover> movers = new ArrayList<>();

    /** How often each assigner has moved an edge, in all attempts. */
    private final long[] adopted;

    private final int[] partitions;
    private boolean lacksOwners;
    private int placed;

    SimulatedAssigners(LoopSimulation simulation, SimulatedChannels channels) {
        this.simulation = simulation;
        this.channels = channels;
        partitions = simulation.last.partitions.clone();
        adopted = new long[channels.toAssigner.size()];
        adopted[0] = simulation.last.adopted;
        lacksOwners = simulation.last.isOfOneTask || simulation.last.writesBack || simulation.last.lacksOwners;
        for (int a = 0; a < channels.toAssigner.size(); a++) {
            add(a);
        }
    }

    private void add(int a) {
        List<Lineage> own = new ArrayList<>();
        SimulatedCheckpoint last = simulation.last;
        int k = last.repartitioning.partitions() > 0
                ? last.repartitioning.partitions()
                : last.loads.isEmpty()
                        ? simulation.layout.partitionCount()
                        : last.loads.get(0).partitionCount();
        PartitionLoads sum = new PartitionLoads(k);
        // Dealt out anyhow, as Flink does.
        for (int i = a; i < last.lineages.size(); i += channels.toAssigner.size()) {
            LineageState state = last.lineages.get(i);
            own.add(new Lineage(state.id(), state.lastSequences().clone(), state.unconfirmed()));
            sum.addAll(last.loads.get(i).first(k));
        }
        if (last.isOfOneTask && a == 0) {
            sum.addAll(last.loads.get(0));
        }
        if (own.isEmpty()) {
            own.add(new Lineage(simulation.random.nextLong(), simulation.buckets));
        }
        Deque<VertexUpdate> updates = new ArrayDeque<>();
        unsent.add(updates);
        loads.add(sum);
        Algorithm algorithm = Algorithms.of(simulation.options);
        if (simulation.writesBack) {
            boolean hasPlaces = !simulation.options.kind().hasOwners();
            if (last.isOfOneTask || simulation.isOtherForm()) {
                sum = new PartitionLoads(sum.edges(), new long[k], 0); // the tables tell
                loads.set(a, sum);
            }
            RemoteEdges edges = simulation.keepsEdges ? new RemoteEdges(hasPlaces, simulation.buckets) : null;
            PartitionerOptions options = simulation.options.withPartitions(sum.partitionCount());
            WriteBack cache = new WriteBack(
                    simulation.layout.withPartitions(sum.partitionCount()), VertexTable.Listener.NONE, edges);
            Placement engine = refined(algorithm.placement(options, cache.cache(), sum, edges));
            if (!simulation.isOtherForm() && !last.isOfOneTask) {
                last.bufferedVertices.forEach(cache::restore);
                engine.restore(last.algorithm, last.buffered);
            }
            engines.add(engine);
            caches.add(cache);
            ViewJoin join = new ViewJoin(cache, simulation.buckets, resumption(own, last.buffered), output(a, updates));
            resume(join, own, last.buffered);
            joins.add(join);
            if (simulation.moves()) {
                boolean hasRounds = last.repartitioning.running() != null
                        || simulation.movesInBothForms && simulation.random.nextBoolean();
                movers.add(
                        hasRounds
                                ? new SimulatedRounds(simulation, new Engine(a), join, 1)
                                : new SimulatedMoves(simulation, new Engine(a), join, partitions));
            }
            return;
        }
        VertexTable workspace = new VertexTable(simulation.layout.withPartitions(k));
        RemoteEdges edges = simulation.keepsEdges
                ? RemoteEdges.ofOneOfSeveral(!simulation.options.kind().hasOwners(), simulation.buckets)
                : null;
        Placement assigner = refined(algorithm.placement(simulation.options.withPartitions(k), workspace, sum, edges));
        assigner.shareVertices(a, channels.toAssigner.size());
        SimulatedCheckpoint.BufferState state = bufferState(a);
        if (!last.isOfOneTask) {
            assigner.restore(state.algorithm(), state.edges());
        }
        if (!simulation.options.kind().hasOwners() && state.partitions() == k) {
            for (long vertex : VertexSet.of(state.edges()).toArray()) {
                byte[] record = state.vertices().get(vertex);
                if (record != null) {
                    RecordExchange.load(workspace, vertex, record);
                }
            }
        }
        engines.add(assigner);
        workspaces.add(workspace);
        if (edges != null) {
            ViewJoin join = ViewJoin.ofOneOfSeveral(
                    a, workspace, edges, simulation.buckets, resumption(own, state.edges()), output(a, updates));
            resume(join, own, state.edges());
            joins.add(join);
            keptEdges.add(edges);
            if (simulation.moves() && a == 0) {
                movers.add(new SimulatedRounds(simulation, new Engine(a), join, channels.toAssigner.size()));
            } else if (simulation.moves()) {
                int open = last.repartitioning.open();
                assigner.restrictTo(open == 0 ? k : open);
                movers.add(new SimulatedRounds.Follower(simulation, new Engine(a), join));
            }
            return;
        }
        int placingPass = simulation.preparationPasses;
        // The first one may gather its changes or not; the others must tell each other.
        boolean isOnlyOne = channels.toAssigner.size() == 1 && simulation.random.nextBoolean();
        long soloEdges = isOnlyOne ? ViewJoin.ONLY_ONE : a == 0 ? simulation.random.nextInt(200) : 0;
        Resumption resumption = resumption(own, state.edges());
        ViewJoin join =
                new ViewJoin(a, workspace, placingPass, simulation.buckets, resumption, soloEdges, output(a, updates));
        if (simulation.graph.size() % 2 == 0) { // as if their edges came in runs, for which the graph is too small
            join.setRuns(new EdgeRuns(() -> simulation.random.nextInt(20) > 0)); // the order may change
        }
        resume(join, own, state.edges());
        joins.add(join);
    }

    /** Takes over what a job of one task has left, as if it came with a greeting. */
    private void resume(ViewJoin join, List<Lineage> lineages, EdgeBatch buffered) {
        if (simulation.last.isOfOneTask) {
            join.resume(new Resumption(
                    lineages, simulation.catchesUp(), simulation.writesBack, buffered, simulation.degreeChange()));
        }
    }

    private Resumption resumption(List<Lineage> lineages, EdgeBatch buffered) {
        return simulation.isOtherForm()
                ? new Resumption(
                        lineages, simulation.catchesUp(), simulation.writesBack, buffered, simulation.degreeChange())
                : Resumption.of(lineages, simulation.catchesUp());
    }

    private Placement refined(Placement placement) {
        if (simulation.refines) {
            ShortLag.refine(placement, 0.5, 20);
        }
        return placement;
    }

    /** Returns what one of several assigners gets: its own if there are as many as before, or else parts of all. */
    private SimulatedCheckpoint.BufferState bufferState(int a) {
        SimulatedCheckpoint last = simulation.last;
        int count = channels.toAssigner.size();
        if (last.buffers.size() == count) {
            return last.buffers.get(a);
        }
        List<byte[]> pieces = new ArrayList<>();
        for (int i = a; i < last.algorithm.size(); i += count) {
            pieces.add(last.algorithm.get(i));
        }
        EdgeBatch buffered = new EdgeBatch();
        for (int i = 0; i < last.buffered.size(); i++) {
            boolean isOwn = simulation.keepsEdges
                    ? hasSource(a, last.buffered.source(i))
                    : last.isOfOneTask ? a == 0 : i / BUFFERED_PIECE % count == a;
            if (isOwn) {
                buffered.addFrom(last.buffered, i);
            }
        }
        SimulatedCheckpoint.BufferState other = last.buffers.get(a);
        return new SimulatedCheckpoint.BufferState(
                pieces, buffered, other == null ? Map.of() : other.vertices(), other == null ? 0 : other.partitions());
    }

    /** The engine of an assigner whose edges move. */
    private final class Engine implements RemotePlacement.Engine {
        private final int a;

        Engine(int a) {
            this.a = a;
        }

        @Override
        public Placement placement() {
            return engines.get(a);
        }

        @Override
        public PartitionLoads loads() {
            return loads.get(a);
        }

        @Override
        public PlacedEdges into() {
            return movingInto(a);
        }

        @Override
        public int partitions() {
            return loads.get(a).partitionCount();
        }

        @Override
        public void setPartitions(int wanted) {
            Placement before = engines.get(a);
            before.dropPlan();
            joins.get(a).setPartitions(wanted);
            boolean isOnly = simulation.writesBack;
            PartitionLoads resized =
                    isOnly ? loads.get(a).resized(wanted) : loads.get(a).first(wanted);
            loads.set(a, resized);
            PartitionerOptions options = simulation.options.withPartitions(wanted);
            VertexTable cache = isOnly ? caches.get(a).cache() : workspaces.get(a);
            RemoteEdges edges = isOnly ? caches.get(a).edges() : keptEdges.get(a);
            Placement after = refined(Algorithms.of(options).placement(options, cache, resized, edges));
            if (!isOnly) {
                after.shareVertices(a, channels.toAssigner.size());
            }
            after.restore(before.snapshot(), before.heldEdges());
            engines.set(a, after);
        }

        @Override
        public void setGeneration(long generation) {}

        @Override
        public String refusal() {
            return "";
        }

        @Override
        public boolean lacksOwners() {
            return lacksOwners
                    && simulation.sharesEdges()
                    && simulation.options.kind().hasOwners();
        }

        @Override
        public void ownersTold() {
            simulation.plansWithToldOwners += lacksOwners() ? 1 : 0;
            lacksOwners = false;
        }
    }

    private PlacedEdges movingInto(int a) {
        PlacedOnce placed = new PlacedOnce(partitions);
        return new PlacedEdges() {
            @Override
            public void placed(long source, long target, double weight, long edge, long key, int place) {
                placed.placed(source, target, weight, edge, key, place);
            }

            @Override
            public void changed(
                    ShardChange change,
                    long source,
                    long target,
                    double weight,
                    long edge,
                    long key,
                    int shard,
                    int place) {
                adopted[a] += change == ShardChange.ADOPT ? 1 : 0;
                placed.changed(change, source, target, weight, edge, key, shard, place);
            }
        };
    }

    /**
     * Takes down where each edge is, by its timestamp.
     *
     * @param partitions −1 for an edge that was not placed yet; below that, where it was before it was removed
     */
    record PlacedOnce(int[] partitions) implements PlacedEdges {
        private static final int REMOVED = -2;
        private static final int IN_BETWEEN = Integer.MIN_VALUE;

        @Override
        public void placed(long source, long target, double weight, long edge, long key, int place) {
            assertThat(partitions[(int) edge])
                    .as("edge %d is placed once", edge)
                    .isEqualTo(-1);
            partitions[(int) edge] = place;
        }

        @Override
        public void changed(
                ShardChange change,
                long source,
                long target,
                double weight,
                long edge,
                long key,
                int shard,
                int place) {
            boolean isSecond = shard != Place.ofSource(place); // of the owners of a cut edge
            if (change == ShardChange.ADOPT) {
                assertThat(partitions[(int) edge])
                        .as("edge %d has left", edge)
                        .isEqualTo(isSecond ? place : IN_BETWEEN);
                partitions[(int) edge] = place;
                return;
            }
            if (change == ShardChange.EVICT) {
                assertThat(partitions[(int) edge]).as("edge %d leaves", edge).isEqualTo(isSecond ? IN_BETWEEN : place);
                partitions[(int) edge] = IN_BETWEEN;
                return;
            }
            assertThat(change).isEqualTo(ShardChange.REMOVE);
            assertThat(partitions[(int) edge]).as("edge %d is there", edge).isIn(place, REMOVED - place);
            partitions[(int) edge] = REMOVED - place;
        }
    }

    private void takeToldCounts(PartitionLoads own) {
        for (ReplicaCounts counts : simulation.toldCounts) {
            long[] replicas = new long[own.partitionCount()];
            Arrays.setAll(replicas, p -> p < counts.partitionCount() ? counts.replicas(p) : 0);
            own.addAll(new PartitionLoads(new long[replicas.length], replicas, counts.vertices()));
        }
    }

    private ViewJoin.Output output(int a, Deque<VertexUpdate> updates) {
        PlacedEdges into = movingInto(a);
        return new ViewJoin.Output() {
            @Override
            public Placement placement() {
                return engines.get(a);
            }

            @Override
            public void started() {
                SimulatedCheckpoint last = simulation.last;
                if (last.isOfOneTask && !simulation.writesBack) {
                    engines.get(a).restoreParts(a == 0 ? last.algorithm : List.of());
                    engines.get(a).accept(bufferState(a).edges(), into);
                } else if (last.isOfOneTask || simulation.writesBack && simulation.isOtherForm()) {
                    takeToldCounts(loads.get(a));
                    engines.get(a).restoreParts(last.algorithm);
                    if (simulation.options.kind().hasOwners()) {
                        engines.get(a).recountOwners(simulation.toldOwners);
                    }
                    int open = last.repartitioning.open();
                    if (open > 0) {
                        engines.get(a).restrictTo(open);
                    }
                    engines.get(a).accept(last.buffered, into);
                }
            }

            @Override
            public void observed(EdgeBatch batch) {
                placed++;
            }

            @Override
            public void joined(EdgeBatch batch) {
                placed++;
                requireSlots(a, batch);
                engines.get(a).accept(batch, into);
                if (!simulation.writesBack && simulation.random.nextInt(4) == 0) {
                    // What has waited for too long goes.
                    engines.get(a).placeHeldBefore(engines.get(a).heldEver() - simulation.random.nextInt(30), into);
                }
                if (simulation.writesBack && simulation.random.nextInt(4) == 0) {
                    caches.get(0).cache().writeAhead(simulation.random.nextInt(8));
                }
            }

            @Override
            public void exhausted() {
                if (!movers.isEmpty()) {
                    movers.get(a).stop();
                }
                engines.get(a).placeHeld(into);
            }

            @Override
            public void mastered(long vertex) {
                engines.get(a).mastered(vertex, into);
            }

            @Override
            public void moved(long vertex, int from, int to, EdgeBatch edges) {
                engines.get(a).ownerMoved(vertex, from, to, edges, into);
            }

            @Override
            public void replied(Views reply) {
                movers.get(a).replied(reply);
            }

            @Override
            public void publish(VertexUpdate update) {
                updates.add(update);
            }
        };
    }

    void step(int a) {
        List<Deque<Object>> inputs = channels.toAssigner.get(a);
        if (inputs.stream().allMatch(input -> input.peek() == SimulatedChannels.BARRIER)) {
            inputs.forEach(Deque::remove);
            snapshot(a);
            return;
        }
        Deque<Object> input = inputs.get(simulation.random.nextInt(inputs.size()));
        if (input.peek() == SimulatedChannels.BARRIER) {
            return;
        }
        Object element = input.poll();
        engines.get(a).placeCut(new PlacedOnce(partitions));
        if (!joins.get(a).isStarted() && simulation.random.nextInt(4) == 0) {
            if (simulation.sharesEdges()) {
                engines.get(a)
                        .placeHeldBefore(engines.get(a).heldEver() - simulation.random.nextInt(30), movingInto(a));
            }
            joins.get(a).send(); // what was placed before all tables have greeted is not to come before what is left
        }
        if (element instanceof NumberedBatch batch) {
            joins.get(a).onBatch(batch);
        } else if (element instanceof Views views) {
            if (engines.get(a).teamLoads() != null && views.loads().length > 0) {
                simulation.heardLoads++;
            }
            joins.get(a).onViews(views);
        } else if (element == SimulatedChannels.END) {
            joins.get(a).endBatches();
        }
    }

    /** Begins no moves any more. */
    void stopMoves() {
        movers.forEach(SimulatedMover::stop);
    }

    /** Takes a step of a re-partitioning, if there are some. */
    void move() {
        int a = simulation.random.nextInt(movers.size());
        if (joins.get(a).isStarted()) {
            movers.get(a).step();
        }
    }

    /** Returns the re-partitionings of several assigners. */
    SimulatedRounds rounds() {
        return (SimulatedRounds) movers.get(0);
    }

    /** Returns how many edges have moved, as the re-partitionings of several assigners say. */
    long movedByTeam() {
        return rounds().moved(movers);
    }

    /** Returns how often an edge has moved that is where it is now. */
    long adopted() {
        return Arrays.stream(adopted).sum();
    }

    /** Sends some updates of an assigner to the loop. */
    void send(int a) {
        simulation.log.send(unsent.get(a));
    }

    private void snapshot(int a) {
        SimulatedCheckpoint pending = simulation.pending();
        ViewJoin assigner = joins.get(a);
        Placement engine = engines.get(a);
        if (!simulation.writesBack && engine.cutsAtCheckpoints()) {
            engine.placeCut(new PlacedOnce(partitions));
            engine.cut(simulation.random.nextInt(1, 4));
        }
        assigner.flush();
        assigner.requireNothingHalfJoined();
        PartitionLoads all = loads.get(a);
        PartitionLoads own = new PartitionLoads(all.edges(), all.vertices(), all.totalVertices());
        for (Lineage lineage : assigner.lineages()) {
            pending.lineages.add(new LineageState(lineage.id(), lineage.lastSequences(), lineage.unconfirmed()));
            pending.loads.add(own);
            own = new PartitionLoads(all.partitionCount());
        }
        pending.algorithm.addAll(engine.snapshot());
        pending.buffered.addAll(engine.heldEdges());
        if (!simulation.writesBack) {
            Map<Long, byte[]> records = new HashMap<>();
            for (long vertex : VertexSet.of(engine.heldEdges()).toArray()) {
                records.put(vertex, RecordExchange.encode(workspaces.get(a), vertex));
            }
            pending.buffers.put(
                    a,
                    new SimulatedCheckpoint.BufferState(
                            engine.snapshot(),
                            engine.heldEdges(),
                            records,
                            loads.get(a).partitionCount()));
        }
        if (simulation.writesBack) {
            for (long vertex : VertexSet.of(pending.buffered).toArray()) {
                pending.bufferedVertices.put(vertex, caches.get(a).encode(vertex));
            }
            pending.partitions = partitions.clone();
        } else if (simulation.keepsEdges) {
            pending.partitions = pending.partitions.length == 0 ? partitions.clone() : pending.partitions;
            for (int i = 0; i < partitions.length; i++) {
                if (hasSource(a, simulation.graph.source(i))) {
                    pending.partitions[i] = partitions[i];
                }
            }
        }
        if (!movers.isEmpty()) {
            movers.get(a).snapshot(pending);
            pending.adopted += adopted[a];
        }
        if (a == 0) {
            pending.lacksOwners = lacksOwners;
        }
        pending.assignersLeft--;
    }

    /** Returns whether an assigner has the edges that lead from a vertex, if edges are kept. */
    boolean hasSource(int a, long source) {
        return EdgesBySource.assigner(source, simulation.buckets, channels.toAssigner.size()) == a;
    }

    int count() {
        return joins.size();
    }

    /** Returns the number of batches that have been placed or observed. */
    int placed() {
        return placed;
    }

    /** Returns the partition of each edge; −1 while it has none. */
    int[] partitions() {
        return partitions;
    }

    List<PartitionLoads> loads() {
        return loads;
    }

    List<VertexUpdate> unsent() {
        List<VertexUpdate> all = new ArrayList<>();
        unsent.forEach(all::addAll);
        return all;
    }
}
