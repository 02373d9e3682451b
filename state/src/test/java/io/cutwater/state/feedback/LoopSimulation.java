package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The distributed topology in one thread: channels are queues, the loop is a log that delivers its records late, twice,
 * and mixed with those of dead attempts, and the order of events is random. Checkpoints are aligned as Flink's are. A
 * crash restores the last one, with other numbers of tasks if that is asked for.
 */
final class LoopSimulation {
    static final int BUCKETS = 8;

    /**
     * The disturbances of a simulation.
     *
     * @param inFlight batches that are asked for and not placed, at the most
     * @param loopDelay how many steps of others there are to one of the loop
     * @param crashes how often the job dies
     * @param rescales whether it comes back with other numbers of tasks
     * @param assigners A at the start, or in every attempt if it never rescales
     */
    record Trouble(int inFlight, int loopDelay, int crashes, boolean rescales, int assigners, int tables) {}

    final EdgeBatch graph;
    final int batchSize;
    final int buckets;
    final Trouble trouble;
    final SplittableRandom random;
    final PartitionerOptions options;
    final int preparationPasses;
    /** Whether one assigner writes whole records back where several send changes. */
    private final boolean hasForms;

    private final boolean mayWriteBack;

    /** Whether the one assigner of this attempt writes whole records back. */
    boolean writesBack;

    /** How often one assigner went on with what several had left, or the other way round. */
    int changesOfForm;

    /** How often a re-partitioning was running then. */
    int roundsInOtherForm;

    final boolean keepsEdges;
    /** Whether kept edges move to and fro all the time. */
    boolean movesEdges;

    /** Whether they move while there is one assigner, and also while there are several. */
    boolean movesInBothForms;

    /** Whether edges also move to better places without a plan. */
    boolean refines;

    /** Edges that have moved to better places, in any attempt. */
    long refined;

    /** Whether re-partitionings of several assigners are aborted at times. */
    boolean aborts;

    /** Whether one task goes on at times, and several after that. */
    boolean gathers;

    /** How often it did. */
    int gathered;

    /** How often an assigner has heard the loads of all. */
    int heardLoads;

    /** Commands that several assigners have got. */
    int commands;

    /** Plans before which the tables have told each other owners. */
    int plansWithToldOwners;

    /** What the tables of this attempt have told the only assigner: replicas, and vertices by owner. */
    final List<ReplicaCounts> toldCounts = new ArrayList<>();

    final List<byte[]> toldOwners = new ArrayList<>();

    /** Edges that have moved, in any attempt. */
    long moved;

    /** How often there was another number of partitions, in any attempt. */
    int changesOfPartitions;

    final VertexLayout layout;
    final long cacheBytes;
    final SimulatedLog log;

    SimulatedCheckpoint last;
    private @Nullable SimulatedCheckpoint pending;
    private int crashesLeft;
    int duplicates;
    int stale;

    LoopSimulation(
            EdgeBatch graph,
            PartitionerOptions options,
            int batchSize,
            int buckets,
            long cacheBytes,
            Trouble trouble,
            long seed) {
        this.graph = graph;
        this.batchSize = batchSize;
        this.buckets = buckets;
        this.trouble = trouble;
        this.cacheBytes = cacheBytes;
        random = new SplittableRandom(seed);
        this.options = options;
        Algorithm algorithm = Algorithms.of(options);
        preparationPasses = algorithm.streamRule(options).preparationPasses();
        keepsEdges = graph.hasRemovals();
        layout = keepsEdges ? algorithm.layout(options).withCounts() : algorithm.layout(options);
        boolean mayShare = !algorithm.needsOneAssigner(options);
        hasForms = !mayShare || keepsEdges || algorithm.changesMoreThanReplicas(options);
        mayWriteBack = hasForms || trouble.assigners == 1 && random.nextBoolean();
        crashesLeft = trouble.crashes;
        log = new SimulatedLog(buckets, random);
        last = new SimulatedCheckpoint(buckets);
        last.partitions = new int[graph.size()];
        Arrays.fill(last.partitions, -1);
    }

    /** Returns whether batches say where the cache of their assigner has the ends of their edges, as in the job. */
    boolean tellsSlots() {
        if (keepsEdges || writesBack || options.kind().hasOwners()) {
            return false;
        }
        EdgePartitioner rule = Algorithms.edgePartitioner(options);
        return !(rule instanceof BufferedPartitioner) && !(rule instanceof JointPartitioner);
    }

    /** Begins with a checkpoint of a job of one task, which has placed some of the edges. */
    void beginInOneTask() {
        Algorithm algorithm = Algorithms.of(options);
        MapVertexStore store = new MapVertexStore();
        VertexTable vertices = new VertexTable(layout, store, cacheBytes, 0, VertexTable.Listener.NONE);
        PartitionLoads loads = new PartitionLoads(options.partitionCount());
        StoredEdges kept =
                options.kind().hasOwners() ? StoredEdges.ofVertices(last.edges, 0) : StoredEdges.ofEdges(last.edges, 0);
        Placement placement = algorithm.placement(options, vertices, loads, keepsEdges ? kept : null);
        last.isOfOneTask = true;
        last.nextBatch = random.nextInt(graph.size() / batchSize + 1);
        EdgeBatch batch = new EdgeBatch();
        for (int i = 0; i < Math.min(graph.size(), last.nextBatch * batchSize); i++) {
            batch.add(graph.source(i), graph.target(i), Double.NaN, i, graph.key(i));
            if (graph.isRemoval(i)) {
                batch.setRemoval(i);
            }
        }
        placement.accept(batch, new SimulatedAssigners.PlacedOnce(last.partitions));
        endInOneTask(placement, vertices, store, loads);
    }

    /** Makes the last checkpoint that of one task, which has gone on with what several have left. */
    private void gather() {
        SimulatedCheckpoint of = last;
        boolean hasOwners = options.kind().hasOwners();
        MapVertexStore store = new MapVertexStore();
        store.putAll(of.vertices);
        BucketLedger[] ledgers =
                Arrays.stream(of.ledgers).map(BucketLedger::fromBytes).toArray(BucketLedger[]::new);
        long created =
                Arrays.stream(ledgers).mapToLong(BucketLedger::createdVertices).sum();
        VertexTable table = new VertexTable(layout, store, cacheBytes, created, VertexTable.Listener.NONE);
        BucketEdges rows = new BucketEdges(of.edges, !hasOwners, 128, buckets);
        BucketTable all = keepsEdges
                ? BucketTable.withEdges(table, rows, ledgers, 0, 1, 1)
                : BucketTable.catchingUp(table, ledgers, 0, buckets, 1, 0, 1);
        boolean areOfOne = !hasForms || of.writesBack;
        List<Lineage> lineages = of.lineages.stream()
                .map(one -> new Lineage(one.id(), one.lastSequences(), one.unconfirmed()))
                .toList();
        EdgeBatch waiting = areOfOne ? new EdgeBatch() : of.buffered;
        all.takeOver(new Resumption(lineages, true, false, waiting, keepsEdges ? 0 : -1));
        table.flush();
        created =
                Arrays.stream(ledgers).mapToLong(BucketLedger::createdVertices).sum();
        int k = options.partitionCount();
        PartitionLoads sum = new PartitionLoads(k);
        of.loads.forEach(sum::addAll);
        long[] replicas = new long[k];
        Arrays.setAll(replicas, all.counts()::replicas);
        PartitionLoads loads =
                new PartitionLoads(sum.edges(), replicas, all.counts().vertices());
        long[] owned = new long[k];
        long[] shown = new long[k];
        long[] stored = new long[1];
        VertexTable vertices = new VertexTable(layout, store, cacheBytes, created, VertexTable.Listener.NONE);
        store.forEach((vertex, bytes) -> {
            stored[0]++;
            int slot = table.slot(vertex);
            for (int p = 0; p < k; p++) {
                replicas[p] -= table.hasReplica(slot, p) ? 1 : 0;
            }
            int owner = table.master(slot);
            if (hasOwners && owner != VertexTable.NO_MASTER) {
                owned[owner]++;
                shown[owner] += table.degree(slot) > 0 ? 1 : 0;
            }
        });
        assertThat(stored[0]).as("vertices").isEqualTo(created);
        assertThat(replicas).as("replicas less those of the vertices").containsOnly(0);
        SimulatedCheckpoint now = new SimulatedCheckpoint(buckets);
        now.isOfOneTask = true;
        now.nextBatch = of.nextBatch;
        now.partitions = of.partitions;
        of.edges.copyTo(now.edges, vertex -> true);
        StoredEdges kept = hasOwners ? StoredEdges.ofVertices(now.edges, 0) : StoredEdges.ofEdges(now.edges, 0);
        Placement placement = Algorithms.of(options).placement(options, vertices, loads, keepsEdges ? kept : null);
        last = now;
        gathered++;
        if (areOfOne) {
            placement.restore(of.algorithm, of.buffered);
        } else {
            placement.restoreParts(of.algorithm);
            if (hasOwners) {
                placement.recountOwners(List.of(OwnerLoads.vertices(owned, shown)));
            }
            placement.accept(of.buffered, new SimulatedAssigners.PlacedOnce(last.partitions));
        }
        endInOneTask(placement, vertices, store, loads);
    }

    private void endInOneTask(Placement placement, VertexTable vertices, MapVertexStore store, PartitionLoads loads) {
        placement.dropPlan();
        vertices.flush();
        last.algorithm.addAll(placement.snapshot());
        last.buffered = placement.heldEdges();
        last.loads.add(loads);
        ReplicaCounts[] counts = new ReplicaCounts[buckets];
        long[] created = new long[buckets];
        Arrays.setAll(counts, bucket -> new ReplicaCounts(options.partitionCount()));
        store.forEach((vertex, bytes) -> {
            last.vertices.put(vertex, bytes);
            int bucket = Hashing.bucket(vertex, buckets);
            created[bucket]++;
            int slot = vertices.slot(vertex);
            boolean isFirst = true;
            for (int p = 0; p < options.partitionCount(); p++) {
                if (vertices.hasReplica(slot, p)) {
                    counts[bucket].add(p, isFirst);
                    isFirst = false;
                }
            }
        });
        for (int bucket = 0; bucket < buckets; bucket++) {
            last.ledgers[bucket] = new BucketLedger(counts[bucket], created[bucket]).toBytes();
        }
    }

    /** Runs to the end; returns the last attempt, which has every result. */
    SimulatedAttempt run() {
        int assigners = trouble.assigners;
        int tables = trouble.tables;
        while (true) {
            pending = null;
            writesBack = mayWriteBack && assigners == 1;
            toldCounts.clear();
            toldOwners.clear();
            changesOfForm += isOtherForm() ? 1 : 0;
            roundsInOtherForm += isOtherForm() && last.repartitioning.running() != null ? 1 : 0;
            SimulatedAttempt attempt = new SimulatedAttempt(this, assigners, tables);
            int lifetime = crashesLeft > 0 ? random.nextInt(1, 40 * graph.size() / batchSize + 50) : Integer.MAX_VALUE;
            if (attempt.run(lifetime)) {
                for (int t = 0; t < attempt.tables.count(); t++) {
                    duplicates += (int) attempt.tables.get(t).duplicates();
                    stale += (int) attempt.tables.get(t).stale();
                }
                return attempt;
            }
            crashesLeft--;
            log.addZombies(attempt.assigners.unsent());
            if (gathers && !movesEdges && !last.lineages.isEmpty() && random.nextInt(3) == 0) {
                gather();
            }
            if (trouble.rescales) {
                boolean isOne = trouble.assigners == 1 || (!movesEdges || movesInBothForms) && random.nextBoolean();
                assigners = isOne ? 1 : random.nextInt(2, 5);
                tables = random.nextInt(1, 5);
            }
        }
    }

    /** Returns whether the tables first get what earlier attempts have left. */
    boolean catchesUp() {
        return hasForms;
    }

    /** Returns whether the last checkpoint is of one assigner and several go on, or the other way round. */
    boolean isOtherForm() {
        return !last.lineages.isEmpty() && last.writesBack != writesBack;
    }

    /** Returns what each end of a buffered edge adds to a degree now and did not before. */
    int degreeChange() {
        if (writesBack && last.isOfOneTask) {
            return options.kind().hasOwners() ? 0 : -1;
        }
        if (!isOtherForm() && !last.isOfOneTask) {
            return 0;
        }
        if (writesBack) { // it takes the edges like new ones
            return keepsEdges ? 0 : -1;
        }
        return keepsEdges == options.kind().hasOwners() ? 0 : keepsEdges ? -1 : 1;
    }

    /** Returns whether kept edges move in this attempt. */
    boolean moves() {
        return movesEdges;
    }

    boolean hasPending() {
        return pending != null;
    }

    void start(SimulatedCheckpoint checkpoint) {
        pending = checkpoint;
    }

    SimulatedCheckpoint pending() {
        return Objects.requireNonNull(pending, "no checkpoint was started");
    }

    /** Returns whether several assigners keep edges, so that each has those whose sources are its own. */
    boolean sharesEdges() {
        return keepsEdges && !writesBack;
    }

    /** Returns whether tables give vertices other owners, of which all assigners hear. */
    boolean movesOwners() {
        return moves() && sharesEdges() && options.kind().hasOwners();
    }

    private void assertThatVerticesHaveOneOwner(int[] places) {
        Map<Long, Integer> owners = new HashMap<>();
        for (int edge = 0; edge < places.length; edge++) {
            if (places[edge] >= 0) {
                int ofSource = Place.ofSource(places[edge]);
                int ofTarget = Place.ofTarget(places[edge]);
                assertThat(owners.computeIfAbsent(graph.source(edge), vertex -> ofSource))
                        .as("owner of %d, a source", graph.source(edge))
                        .isEqualTo(ofSource);
                assertThat(owners.computeIfAbsent(graph.target(edge), vertex -> ofTarget))
                        .as("owner of %d, a target", graph.target(edge))
                        .isEqualTo(ofTarget);
            }
        }
    }

    /** Makes the pending checkpoint the last one if all tasks have written their state. */
    void completeCheckpoint(int[] partitions) {
        if (pending == null || !pending.isComplete()) {
            return;
        }
        // An assigner that was aligned early is beyond the barrier already; that is lost in a crash.
        int before = pending.pass == preparationPasses ? pending.nextBatch * batchSize : 0;
        if (!writesBack && !keepsEdges) {
            pending.partitions = partitions.clone();
            Arrays.fill(pending.partitions, Math.min(graph.size(), before), graph.size(), -1);
            for (int i = 0; i < pending.buffered.size(); i++) {
                pending.partitions[(int) pending.buffered.timestamp(i)] = -1;
            }
        }
        if (sharesEdges() && options.kind().hasOwners()) {
            assertThatVerticesHaveOneOwner(pending.partitions);
        }
        last = pending;
        pending = null;
    }
}
