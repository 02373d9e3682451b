package io.cutwater.state.feedback;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.bucket.RemoteEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.EdgeRuns;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.LiveRule;
import io.cutwater.state.store.AdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.TeamLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Measures the cost of stale views: a graph placed by several assigners, where the table gets the updates of a batch
 * when a given number of further edges has been asked for, and the caches of the others hear of them then. The stale
 * window is that number. The caches hold all vertices.
 *
 * @param cost replication factor of the result; in a vertex partitioning the share of edges that are cut
 * @param balance of edges; in a vertex partitioning of owned vertices
 * @param lookups views that were asked for, an edge
 * @param changes vertices in updates, an edge
 * @param news records of changed vertices that tables told assigners, an edge
 */
record StaleViews(double cost, double balance, double lookups, double changes, double news) {
    private static final int BUCKETS = 64;
    private static final int CACHED_VERTICES = 1 << 30;

    /** How many edges may be on their way when there are so many. */
    interface Window extends LongUnaryOperator {
        /** The window of a job. */
        static Window ofJob(boolean keepsEdges) {
            return new Window() {
                @Override
                public long applyAsLong(long edges) {
                    return AskWindow.size(AskWindow.LEAST, keepsEdges ? AskWindow.YOUNG : 0, edges);
                }

                @Override
                public long forRuns(double share, long edges) {
                    return AskWindow.sizeForRuns(AskWindow.LEAST, share, edges);
                }
            };
        }

        /** How many may be on their way while edges come in runs and assigners share loads. */
        default long forRuns(double share, long edges) {
            return applyAsLong(edges);
        }
    }

    /** A batch whose updates are on their way: they arrive when {@code dueAt} edges are asked for. */
    private record Travelling(long dueAt, List<VertexUpdate> updates) {}

    static StaleViews of(EdgeBatch graph, PartitionerOptions options, int assigners, Window window) {
        return of(graph, options, assigners, window, false, 1);
    }

    /**
     * @param keepsEdges whether the tables count kept edges, so that each source has its assigner
     * @param run edges of the input that an assigner gets, at least, before the next one gets some
     */
    static StaleViews of(
            EdgeBatch graph, PartitionerOptions options, int assigners, Window window, boolean keepsEdges, int run) {
        boolean sharesEdges = keepsEdges && assigners > 1;
        Algorithm algorithm = Algorithms.of(options);
        LiveRule partitioner = algorithm.streamRule(options);
        Outcome outcome = new Outcome(options.partitionCount());
        int k = options.partitionCount();
        VertexLayout layout = sharesEdges ? algorithm.layout(options).withCounts() : algorithm.layout(options);
        BucketLedger[] ledgers = new BucketLedger[BUCKETS];
        Arrays.setAll(ledgers, bucket -> new BucketLedger(k));
        VertexTable vertices = new VertexTable(layout);
        BucketTable table = sharesEdges
                ? BucketTable.withEdges(
                        vertices,
                        new BucketEdges(new Forgetful(), !options.kind().hasOwners(), 128, BUCKETS),
                        ledgers,
                        0,
                        assigners,
                        1)
                : new BucketTable(vertices, ledgers, 0, BUCKETS, assigners, partitioner.preparationPasses(), 1);
        List<ViewJoin> joins = new ArrayList<>();
        List<VertexUpdate> published = new ArrayList<>();
        List<PartitionLoads> loads = new ArrayList<>();
        List<Placement> engines = new ArrayList<>();
        for (int a = 0; a < assigners; a++) {
            PartitionLoads own = new PartitionLoads(k);
            loads.add(own);
            Lineage lineage = new Lineage(a, BUCKETS);
            VertexTable workspace = new VertexTable(layout);
            RemoteEdges edges =
                    sharesEdges ? RemoteEdges.ofOneOfSeveral(!options.kind().hasOwners(), BUCKETS) : null;
            Placement assigner = algorithm.placement(options, workspace, own, edges);
            if (assigners > 1) {
                assigner.shareVertices(a, assigners);
            }
            engines.add(assigner);
            ViewJoin.Output output = output(assigner, published, outcome);
            joins.add(
                    edges != null
                            ? ViewJoin.ofOneOfSeveral(
                                    a, workspace, edges, BUCKETS, Resumption.of(List.of(lineage), sharesEdges), output)
                            : new ViewJoin(
                                    a,
                                    workspace,
                                    partitioner.preparationPasses(),
                                    BUCKETS,
                                    Resumption.of(List.of(lineage), sharesEdges),
                                    assigners == 1 ? ViewJoin.ONLY_ONE : a == 0 ? partitioner.soloEdges() : 0,
                                    output));
        }
        table.greet(assigner -> null, views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views)));
        published.forEach(table::apply);
        published.clear();
        long[] news = {0};
        Consumer<Views> hears = views -> {
            news[0] += views.size();
            joins.get(views.assigner()).onViews(SimulatedChannels.copy(views));
        };
        int askers = partitioner.preparationPasses() > 0 ? 1 : assigners;
        List<LookupMaker> lookups = new ArrayList<>();
        for (int first = 0; first < askers; first++) {
            lookups.add(new LookupMaker(
                    BUCKETS,
                    1,
                    first,
                    assigners / askers,
                    partitioner.preparationPasses(),
                    CACHED_VERTICES,
                    !sharesEdges,
                    false,
                    1));
        }
        Deque<Travelling> travelling = new ArrayDeque<>();
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            long soFar = 0;
            EdgeRuns runs = new EdgeRuns();
            Turns turns = new Turns(graph, partitioner.soloEdges(), askers, run);
            while (soFar < graph.size()) {
                while (!travelling.isEmpty() && travelling.element().dueAt <= soFar) {
                    travelling.remove().updates.forEach(table::apply);
                }
                table.tellNews(hears);
                TeamLoads team = runs.areFound() ? engines.get(0).teamLoads() : null;
                long edges = team == null ? window.applyAsLong(soFar) : window.forRuns(team.shareOfRuns(), soFar);
                // As many batches are on their way as there are assigners, or more.
                int size = (int) Math.min(EdgeBatch.DEFAULT_CAPACITY, Math.max(1, edges / assigners));
                EdgeBatch batch = new EdgeBatch(size).setPass(pass);
                int next = turns.addNext(batch, size);
                soFar += batch.size();
                runs.observe(batch);
                List<EdgeBatch> parts = new ArrayList<>();
                if (sharesEdges) {
                    EdgesBySource.split(batch, BUCKETS, assigners, parts::add);
                } else {
                    parts.add(batch);
                }
                for (EdgeBatch part : parts) {
                    int asker = sharesEdges ? EdgesBySource.assigner(part.source(0), BUCKETS, assigners) : next;
                    NumberedBatch numbered = lookups.get(asker)
                            .ask(
                                    part,
                                    lookup -> table.look(
                                            lookup,
                                            views -> joins.get(views.assigner())
                                                    .onViews(SimulatedChannels.copy(views))));
                    joins.get(numbered.assigner()).onBatch(numbered);
                    travelling.add(new Travelling(soFar - batch.size() + edges, List.copyOf(published)));
                    published.clear();
                }
            }
        }
        travelling.forEach(last -> last.updates.forEach(table::apply));
        do {
            engines.forEach(engine -> engine.placeHeld(outcome));
            joins.forEach(ViewJoin::flush);
            published.forEach(table::apply);
            published.clear();
            table.tellNews(hears);
        } while (engines.stream().anyMatch(engine -> engine.heldCount() > 0) || !published.isEmpty());
        return options.kind().hasOwners() ? outcome.ofOwners(table, news[0]) : result(table, loads, news[0], outcome);
    }

    /** Deals runs of the input out to tasks in turn; all tasks go on together, each with a batch of its run. */
    private static final class Turns {
        private final EdgeBatch graph;
        private final int run;
        private final int first;
        private final int[] next;
        private final int[] ends;
        private int dealt;
        private int turn;

        /** @param first edges of the first task alone */
        Turns(EdgeBatch graph, long first, int tasks, int run) {
            this.graph = graph;
            this.run = run;
            next = new int[tasks];
            ends = new int[tasks];
            this.first = (int) Math.min(graph.size(), first);
            dealt = this.first;
            ends[0] = dealt;
        }

        /** Adds edges of the task whose turn it is to a batch, one at least; returns the task. */
        int addNext(EdgeBatch batch, int most) {
            while (next[turn] == ends[turn]) {
                if (dealt < graph.size()) {
                    next[turn] = dealt;
                    dealt = Math.min(graph.size(), dealt + Math.max(run, most));
                    ends[turn] = dealt;
                } else {
                    turn = (turn + 1) % next.length;
                }
            }
            int task = turn;
            while (batch.size() < most && next[task] < ends[task]) {
                batch.addFrom(graph, next[task]++);
            }
            turn = next[0] < first ? 0 : (task + 1) % next.length;
            return task;
        }
    }

    /** Keeps nothing: no edge comes twice or leaves. */
    private static final class Forgetful implements AdjacencyStore {
        @Override
        public byte @Nullable [] read(long vertex, long neighbour, boolean isOutgoing, int number) {
            return null;
        }

        @Override
        public void write(long vertex, long neighbour, boolean isOutgoing, int number, byte @Nullable [] row) {}

        @Override
        public void forEach(long vertex, RowConsumer consumer) {}
    }

    /** What happened to edges, and how many vertices updates named. */
    private static final class Outcome implements PlacedEdges {
        private final Map<Long, Integer> owners = new HashMap<>();
        private final long[] owned;
        private long edges;
        private long cut;
        private long changes;

        Outcome(int partitionCount) {
            owned = new long[partitionCount];
        }

        @Override
        public void placed(long source, long target, double weight, long timestamp, long key, int place) {
            edges++;
            int ofSource = Place.ofSource(place);
            int ofTarget = Place.ofTarget(place);
            cut += ofSource == ofTarget ? 0 : 1;
            own(source, ofSource);
            own(target, ofTarget);
        }

        private void own(long vertex, int owner) {
            Integer before = owners.put(vertex, owner);
            owned[owner] += before == null ? 1 : 0;
        }

        StaleViews ofOwners(BucketTable table, long news) {
            long most = Arrays.stream(owned).max().orElseThrow();
            double balance = (double) most * owned.length / owners.size();
            return new StaleViews(
                    (double) cut / edges,
                    balance,
                    (double) table.lookups() / edges,
                    (double) changes / edges,
                    (double) news / edges);
        }
    }

    private static ViewJoin.Output output(Placement assigner, List<VertexUpdate> published, Outcome outcome) {
        return new ViewJoin.Output() {
            @Override
            public Placement placement() {
                return assigner;
            }

            @Override
            public void observed(EdgeBatch batch) {}

            @Override
            public void joined(EdgeBatch batch) {
                assigner.accept(batch, outcome);
            }

            @Override
            public void exhausted() {}

            @Override
            public void mastered(long vertex) {
                assigner.mastered(vertex, outcome);
            }

            @Override
            public void moved(long vertex, int from, int to, EdgeBatch edges) {
                assigner.ownerMoved(vertex, from, to, edges, outcome);
            }

            @Override
            public void replied(Views reply) {
                throw new UnsupportedOperationException("nothing was asked for");
            }

            @Override
            public void publish(VertexUpdate update) {
                published.add(update);
                outcome.changes += update.isNumbered() ? update.added().size() : 0;
            }
        };
    }

    private static StaleViews result(BucketTable table, List<PartitionLoads> loads, long news, Outcome outcome) {
        ReplicaCounts counts = table.counts();
        PartitionLoads sum = new PartitionLoads(counts.partitionCount());
        loads.forEach(sum::addAll);
        long replicas = 0;
        for (int p = 0; p < counts.partitionCount(); p++) {
            replicas += counts.replicas(p);
        }
        return new StaleViews(
                (double) replicas / counts.vertices(),
                (double) sum.maxEdges() * counts.partitionCount() / sum.totalEdges(),
                (double) table.lookups() / sum.totalEdges(),
                (double) outcome.changes / sum.totalEdges(),
                (double) news / sum.totalEdges());
    }
}
