package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The distributed topology in one thread: channels are queues, the loop is a log that gives its records away late,
 * twice, and mixed with those of dead attempts, and what happens next is drawn by lot. Checkpoints are aligned as
 * Flink's are, and a crash goes back to the last one, with other numbers of tasks if that is asked for.
 */
final class LoopSimulation {
    static final int BUCKETS = 8;
    private static final Object BARRIER = new Object();
    private static final Object END = new Object();

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

    private final EdgeBatch graph;
    private final PartitionerOptions options;
    private final int batchSize;
    private final int buckets;
    private final Trouble trouble;
    private final SplittableRandom random;
    private final EdgePartitioner partitioner;
    private final VertexLayout layout;
    private final long cacheBytes;

    private Checkpoint last;
    private final List<List<VertexUpdate>> log = new ArrayList<>();
    private final List<VertexUpdate> zombies = new ArrayList<>();
    private int crashesLeft;
    int duplicates;
    int stale;

    /** The checkpointed state of all tasks. */
    private static final class Checkpoint {
        int nextBatch;
        int pass;
        int[] partitions;
        final Map<Long, byte[]> vertices = new HashMap<>();
        final byte[][] ledgers;
        final List<LineageState> lineages = new ArrayList<>();
        final List<PartitionLoads> loads = new ArrayList<>();
        int tablesLeft;
        int assignersLeft;

        Checkpoint(int buckets) {
            ledgers = new byte[buckets][];
        }
    }

    private record LineageState(long id, long[] lastSequences, List<VertexUpdate> unconfirmed) {}

    LoopSimulation(
            EdgeBatch graph,
            PartitionerOptions options,
            int batchSize,
            int buckets,
            long cacheBytes,
            Trouble trouble,
            long seed) {
        this.graph = graph;
        this.options = options;
        this.batchSize = batchSize;
        this.buckets = buckets;
        this.trouble = trouble;
        this.cacheBytes = cacheBytes;
        random = new SplittableRandom(seed);
        partitioner = Algorithms.edgePartitioner(options);
        layout = partitioner.layout(options.partitionCount());
        crashesLeft = trouble.crashes;
        last = new Checkpoint(buckets);
        last.partitions = new int[graph.size()];
        Arrays.fill(last.partitions, -1);
        for (int i = 0; i < 3; i++) {
            log.add(new ArrayList<>());
        }
    }

    /** Runs to the end; returns the last attempt, which has every result. */
    Attempt run() {
        int assigners = trouble.assigners;
        int tables = trouble.tables;
        while (true) {
            Attempt attempt = new Attempt(assigners, tables);
            if (attempt.run()) {
                return attempt;
            }
            zombies.addAll(attempt.unsent());
            if (trouble.rescales) {
                assigners = trouble.assigners == 1 ? 1 : random.nextInt(1, 5);
                tables = random.nextInt(1, 5);
            }
        }
    }

    /** One life of the job. */
    final class Attempt {
        private final int assigners;
        private final LookupMaker asker;
        private final List<BucketTable> tables = new ArrayList<>();
        private final List<VertexTable> caches = new ArrayList<>();
        private final List<MapVertexStore> stores = new ArrayList<>();
        private final List<BucketLedger[]> ledgers = new ArrayList<>();
        private final int[] firstBuckets;
        private final List<int[]> positions = new ArrayList<>();
        private final List<ViewJoin> joins = new ArrayList<>();
        private final List<PartitionLoads> loads = new ArrayList<>();

        private final List<Deque<Object>> toTable = new ArrayList<>();
        /** The queues of each assigner: its batches, then the answers of each table. */
        private final List<List<Deque<Object>>> toAssigner = new ArrayList<>();

        private final boolean[] isEnded;
        private final List<Deque<VertexUpdate>> unsent = new ArrayList<>();
        private final int[] partitions;
        private int nextBatch;
        private int pass;
        private boolean isAskerEnded;
        private int placed;
        private int asked;
        private Checkpoint pending;

        Attempt(int assigners, int tableCount) {
            this.assigners = assigners;
            int placingPass = partitioner.preparationPasses();
            asker = new LookupMaker(buckets, assigners, placingPass, random.nextLong());
            partitions = last.partitions.clone();
            nextBatch = last.nextBatch;
            pass = last.pass;
            firstBuckets = new int[tableCount + 1];
            isEnded = new boolean[tableCount];
            for (int t = 0; t <= tableCount; t++) {
                firstBuckets[t] = t * buckets / tableCount;
            }
            for (int t = 0; t < tableCount; t++) {
                addTable(t, placingPass);
            }
            for (int a = 0; a < assigners; a++) {
                addAssigner(a, tableCount);
            }
            for (int t = 0; t < tableCount; t++) {
                int from = t;
                tables.get(t)
                        .greet(
                                null,
                                views -> toAssigner
                                        .get(views.assigner())
                                        .get(1 + from)
                                        .add(copy(views)));
            }
        }

        private void addTable(int t, int placingPass) {
            MapVertexStore store = new MapVertexStore();
            BucketLedger[] own = new BucketLedger[firstBuckets[t + 1] - firstBuckets[t]];
            long created = 0;
            for (int i = 0; i < own.length; i++) {
                byte[] bytes = last.ledgers[firstBuckets[t] + i];
                own[i] = bytes == null
                        ? new BucketLedger(layout.partitionCount())
                        : BucketLedger.fromBytes(bytes, layout.partitionCount());
                created += own[i].createdVertices();
            }
            store.putAll(last.vertices);
            VertexTable cache = new VertexTable(layout, store, cacheBytes, created, VertexTable.Listener.NONE);
            stores.add(store);
            caches.add(cache);
            ledgers.add(own);
            tables.add(new BucketTable(cache, own, firstBuckets[t], assigners, placingPass, random.nextLong()));
            toTable.add(new ArrayDeque<>());
            positions.add(log.stream().mapToInt(List::size).toArray());
        }

        private void addAssigner(int a, int tableCount) {
            List<Lineage> own = new ArrayList<>();
            PartitionLoads sum = new PartitionLoads(layout.partitionCount());
            // Dealt out anyhow, as Flink does.
            for (int i = a; i < last.lineages.size(); i += assigners) {
                LineageState state = last.lineages.get(i);
                own.add(new Lineage(state.id, state.lastSequences.clone(), state.unconfirmed));
                sum.addAll(last.loads.get(i));
            }
            if (own.isEmpty()) {
                own.add(new Lineage(random.nextLong(), buckets));
            }
            Deque<VertexUpdate> updates = new ArrayDeque<>();
            unsent.add(updates);
            loads.add(sum);
            VertexTable workspace = new VertexTable(layout);
            Placement assigner = new Placement(partitioner, workspace, sum);
            int placingPass = partitioner.preparationPasses();
            joins.add(new ViewJoin(
                    a, workspace, placingPass, buckets, own, random.nextBoolean(), new ViewJoin.Output() {
                        @Override
                        public void observed(EdgeBatch batch) {
                            placed++;
                        }

                        @Override
                        public void joined(EdgeBatch batch) {
                            placed++;
                            assigner.accept(batch, (source, target, weight, edge, place) -> {
                                assertThat(partitions[(int) edge])
                                        .as("edge %d is placed once", edge)
                                        .isEqualTo(-1);
                                partitions[(int) edge] = Place.ofSource(place);
                            });
                        }

                        @Override
                        public void publish(VertexUpdate update) {
                            updates.add(update);
                        }
                    }));
            List<Deque<Object>> inputs = new ArrayList<>();
            for (int input = 0; input <= tableCount; input++) {
                inputs.add(new ArrayDeque<>());
            }
            toAssigner.add(inputs);
        }

        /** Returns false if it has crashed. */
        boolean run() {
            long steps = 0;
            int lifetime = crashesLeft > 0 ? random.nextInt(1, 40 * graph.size() / batchSize + 50) : Integer.MAX_VALUE;
            while (!isFinished()) {
                if (++steps > lifetime) {
                    crashesLeft--;
                    return false;
                }
                step();
            }
            assertThat(steps).isPositive();
            for (BucketTable table : tables) {
                duplicates += (int) table.duplicates();
                stale += (int) table.stale();
            }
            return true;
        }

        private boolean isFinished() {
            for (boolean ended : isEnded) {
                if (!ended) {
                    return false;
                }
            }
            return true;
        }

        private void step() {
            int what = random.nextInt(4 + 2 * (assigners + tables.size()));
            if (what == 0) {
                ask();
            } else if (what == 1 && trouble.crashes > 0 && random.nextInt(4) == 0) {
                startCheckpoint();
            } else if (what < 4 + assigners + tables.size()) {
                int task = random.nextInt(assigners + tables.size());
                if (task < assigners) {
                    stepAssigner(task);
                } else {
                    stepTable(task - assigners);
                }
            } else if (random.nextInt(1 + trouble.loopDelay) == 0) {
                send(random.nextInt(assigners));
                receive(random.nextInt(tables.size()));
            }
        }

        private void ask() {
            if (isAskerEnded || asked - placed >= trouble.inFlight) {
                return;
            }
            int from = nextBatch * batchSize;
            if (from >= graph.size() && pass < partitioner.preparationPasses()) {
                pass++;
                nextBatch = 0;
                from = 0;
            }
            if (from >= graph.size()) {
                isAskerEnded = true;
                toTable.forEach(channel -> channel.add(END));
                toAssigner.forEach(inputs -> inputs.get(0).add(END));
                return;
            }
            EdgeBatch batch = new EdgeBatch(batchSize).setPass(pass);
            for (int i = from; i < Math.min(graph.size(), from + batchSize); i++) {
                batch.add(graph.source(i), graph.target(i), Double.NaN, i);
            }
            nextBatch++;
            asked++;
            NumberedBatch numbered = asker.ask(
                    batch, lookup -> toTable.get(table(lookup.bucket())).add(copy(lookup)));
            toAssigner.get(numbered.assigner()).get(0).add(numbered);
        }

        private int table(int bucket) {
            int t = 0;
            while (firstBuckets[t + 1] <= bucket) {
                t++;
            }
            return t;
        }

        private void stepTable(int t) {
            Object element = toTable.get(t).poll();
            if (element instanceof Lookup lookup) {
                tables.get(t)
                        .look(
                                lookup,
                                views -> toAssigner
                                        .get(views.assigner())
                                        .get(1 + t)
                                        .add(copy(views)));
            } else if (element == BARRIER) {
                snapshotTable(t);
                toAssigner.forEach(inputs -> inputs.get(1 + t).add(BARRIER));
            } else if (element == END) {
                toTable.get(t).addFirst(END);
                isEnded[t] = tables.get(t).hasEnded();
            }
        }

        private void stepAssigner(int a) {
            List<Deque<Object>> inputs = toAssigner.get(a);
            if (inputs.stream().allMatch(input -> input.peek() == BARRIER)) {
                inputs.forEach(Deque::remove);
                snapshotAssigner(a);
                return;
            }
            Deque<Object> input = inputs.get(random.nextInt(inputs.size()));
            if (input.peek() == BARRIER) {
                return;
            }
            Object element = input.poll();
            if (element instanceof NumberedBatch batch) {
                joins.get(a).onBatch(batch);
            } else if (element instanceof Views views) {
                joins.get(a).onViews(views);
            } else if (element == END) {
                joins.get(a).endBatches();
            }
        }

        /** The producer: in the order given, some records twice, some of dead attempts between. */
        private void send(int a) {
            int wanted = random.nextInt(1, 20);
            for (VertexUpdate update = unsent.get(a).poll();
                    update != null;
                    update = unsent.get(a).poll()) {
                append(update);
                if (random.nextInt(16) == 0) {
                    append(update);
                }
                if (!zombies.isEmpty() && random.nextInt(4) == 0) {
                    append(zombies.get(random.nextInt(zombies.size())));
                }
                if (--wanted == 0) {
                    return;
                }
            }
        }

        private void append(VertexUpdate update) {
            log.get(update.bucket() * log.size() / buckets).add(update);
        }

        /** Some records of one log partition, so that buckets overtake each other. */
        private void receive(int t) {
            int partition = random.nextInt(log.size());
            int[] position = positions.get(t);
            int until = Math.min(log.get(partition).size(), position[partition] + random.nextInt(1, 40));
            while (position[partition] < until) {
                tables.get(t).apply(log.get(partition).get(position[partition]++));
            }
        }

        private void startCheckpoint() {
            if (pending != null || isAskerEnded) {
                return;
            }
            pending = new Checkpoint(buckets);
            pending.nextBatch = nextBatch;
            pending.pass = pass;
            pending.tablesLeft = tables.size();
            pending.assignersLeft = assigners;
            toTable.forEach(channel -> channel.add(BARRIER));
            toAssigner.forEach(inputs -> inputs.get(0).add(BARRIER));
        }

        private void snapshotTable(int t) {
            caches.get(t).flush();
            stores.get(t).forEach((vertex, bytes) -> {
                int bucket = Hashing.bucket(vertex, buckets);
                if (table(bucket) == t) {
                    pending.vertices.put(vertex, bytes);
                }
            });
            for (int i = 0; i < ledgers.get(t).length; i++) {
                pending.ledgers[firstBuckets[t] + i] = ledgers.get(t)[i].toBytes();
            }
            pending.tablesLeft--;
            completeCheckpoint();
        }

        private void snapshotAssigner(int a) {
            ViewJoin assigner = joins.get(a);
            assigner.requireNothingHalfJoined();
            PartitionLoads own = loads.get(a);
            for (Lineage lineage : assigner.lineages()) {
                pending.lineages.add(new LineageState(lineage.id(), lineage.lastSequences(), lineage.unconfirmed()));
                pending.loads.add(own);
                own = new PartitionLoads(layout.partitionCount());
            }
            PartitionLoads copy = loads.get(a);
            int at = pending.loads.size() - assigner.lineages().size();
            pending.loads.set(at, new PartitionLoads(copy.edges(), copy.vertices(), copy.totalVertices()));
            pending.assignersLeft--;
            completeCheckpoint();
        }

        private void completeCheckpoint() {
            if (pending.tablesLeft == 0 && pending.assignersLeft == 0) {
                // An assigner that was aligned early is beyond the barrier already; that is lost in a crash.
                int before = isPlacing(pending) ? pending.nextBatch * batchSize : 0;
                pending.partitions = partitions.clone();
                Arrays.fill(pending.partitions, Math.min(graph.size(), before), graph.size(), -1);
                last = pending;
                pending = null;
            }
        }

        private boolean isPlacing(Checkpoint checkpoint) {
            return checkpoint.pass == partitioner.preparationPasses();
        }

        List<VertexUpdate> unsent() {
            List<VertexUpdate> all = new ArrayList<>();
            unsent.forEach(all::addAll);
            return all;
        }

        int[] partitions() {
            return partitions;
        }

        /** The vertex's slot in {@link #cache}. */
        VertexTable cache(long vertex) {
            return caches.get(table(Hashing.bucket(vertex, buckets)));
        }

        BucketTable bucketTable(int t) {
            return tables.get(t);
        }

        int tableCount() {
            return tables.size();
        }

        List<PartitionLoads> loads() {
            return loads;
        }
    }

    private static PartitionLoads copy(PartitionLoads loads) {
        return new PartitionLoads(loads.edges(), loads.vertices(), loads.totalVertices());
    }

    private static Lookup copy(Lookup lookup) {
        Lookup copy = new Lookup().reset(lookup.number(), lookup.assigner(), lookup.pass(), lookup.bucket());
        for (int i = 0; i < lookup.size(); i++) {
            copy.add(lookup.vertex(i), lookup.count(i));
        }
        return copy;
    }

    static Views copy(Views views) {
        Views copy = new Views().reset(views.number(), views.assigner(), views.bucket(), views.run(), views.stride());
        for (int i = 0; i < views.lineageCount(); i++) {
            copy.confirm(views.lineage(i), views.confirmed(i));
        }
        for (int i = 0; i < views.size(); i++) {
            int at = copy.addRecord();
            System.arraycopy(views.records(), i * views.stride(), copy.records(), at, views.stride());
        }
        return copy;
    }
}
