package io.cutwater.state.feedback;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Measures the cost of stale views: a graph placed by several assigners, where the table gets the updates of a batch
 * when a given number of further edges has been asked for, and the caches of the others hear of them then. The stale
 * window is that number. The caches hold all vertices.
 *
 * @param replicationFactor of the result
 * @param edgeBalance of the result
 * @param lookups views that were asked for, an edge
 */
record StaleViews(double replicationFactor, double edgeBalance, double lookups) {
    private static final int BUCKETS = 8;
    private static final int CACHED_VERTICES = 1 << 30;

    /** The size of the window: a share of the edges so far, and a least number of edges. */
    record Window(double share, int least) {
        long edges(long soFar) {
            return Math.max(least, (long) (share * soFar));
        }
    }

    /** A batch whose updates are on their way: they arrive when {@code dueAt} edges are asked for. */
    private record Travelling(long dueAt, List<VertexUpdate> updates) {}

    static StaleViews of(EdgeBatch graph, PartitionerOptions options, int assigners, Window window) {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(options);
        int k = options.partitionCount();
        VertexLayout layout = new VertexLayout(k, partitioner.needsFinalDegrees());
        BucketLedger[] ledgers = new BucketLedger[BUCKETS];
        Arrays.setAll(ledgers, bucket -> new BucketLedger(k));
        BucketTable table =
                new BucketTable(new VertexTable(layout), ledgers, 0, assigners, partitioner.preparationPasses(), 1);
        List<ViewJoin> joins = new ArrayList<>();
        List<VertexUpdate> published = new ArrayList<>();
        List<PartitionLoads> loads = new ArrayList<>();
        for (int a = 0; a < assigners; a++) {
            PartitionLoads own = new PartitionLoads(k);
            loads.add(own);
            Lineage lineage = new Lineage(a, BUCKETS);
            VertexTable workspace = new VertexTable(layout);
            Placement assigner = new Placement(partitioner, workspace, own);
            joins.add(new ViewJoin(
                    a,
                    workspace,
                    partitioner.preparationPasses(),
                    BUCKETS,
                    List.of(lineage),
                    assigners > 1,
                    output(assigner, published)));
        }
        table.greet(null, views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views)));
        int askers = partitioner.preparationPasses() > 0 ? 1 : assigners;
        List<LookupMaker> lookups = new ArrayList<>();
        for (int first = 0; first < askers; first++) {
            lookups.add(new LookupMaker(
                    BUCKETS, first, assigners / askers, partitioner.preparationPasses(), CACHED_VERTICES, true, 1));
        }
        int batches = 0;
        Deque<Travelling> travelling = new ArrayDeque<>();
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            long soFar = 0;
            while (soFar < graph.size()) {
                while (!travelling.isEmpty() && travelling.element().dueAt <= soFar) {
                    travelling.remove().updates.forEach(table::apply);
                }
                table.tellNews(views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views)));
                long edges = window.edges(soFar);
                // As many batches are on their way as there are assigners, or more.
                int size = (int) Math.min(EdgeBatch.DEFAULT_CAPACITY, Math.max(1, edges / assigners));
                EdgeBatch batch = new EdgeBatch(size).setPass(pass);
                for (int i = (int) soFar; i < Math.min(graph.size(), soFar + size); i++) {
                    batch.addFrom(graph, i);
                }
                soFar += batch.size();
                NumberedBatch numbered = lookups.get(batches++ % askers)
                        .ask(
                                batch,
                                lookup -> table.look(
                                        lookup,
                                        views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views))));
                joins.get(numbered.assigner()).onBatch(numbered);
                travelling.add(new Travelling(soFar - batch.size() + edges, List.copyOf(published)));
                published.clear();
            }
        }
        joins.forEach(ViewJoin::flush);
        travelling.add(new Travelling(0, List.copyOf(published)));
        travelling.forEach(last -> last.updates.forEach(table::apply));
        return result(table, loads);
    }

    private static ViewJoin.Output output(Placement assigner, List<VertexUpdate> published) {
        return new ViewJoin.Output() {
            @Override
            public void observed(EdgeBatch batch) {}

            @Override
            public void joined(EdgeBatch batch) {
                assigner.accept(batch, (source, target, weight, timestamp, key, partition) -> {});
            }

            @Override
            public void exhausted() {}

            @Override
            public int bufferedCount() {
                return 0;
            }

            @Override
            public EdgeBatch buffered() {
                return new EdgeBatch();
            }

            @Override
            public void replied(Views reply) {
                throw new UnsupportedOperationException("nothing was asked for");
            }

            @Override
            public void publish(VertexUpdate update) {
                published.add(update);
            }
        };
    }

    private static StaleViews result(BucketTable table, List<PartitionLoads> loads) {
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
                (double) table.lookups() / sum.totalEdges());
    }
}
