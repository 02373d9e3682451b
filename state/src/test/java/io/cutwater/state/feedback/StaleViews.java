package io.cutwater.state.feedback;

import io.cutwater.state.algorithm.Algorithms;
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
 * when a given number of further edges has been asked for. The stale window is that number.
 *
 * @param replicationFactor of the result
 * @param edgeBalance of the result
 */
record StaleViews(double replicationFactor, double edgeBalance) {
    private static final int BUCKETS = 8;

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
                    false,
                    output(assigner, published)));
        }
        table.greet(null, views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views)));
        LookupMaker lookups = new LookupMaker(BUCKETS, assigners, partitioner.preparationPasses(), 1);
        Deque<Travelling> travelling = new ArrayDeque<>();
        for (int pass = 0; pass <= partitioner.preparationPasses(); pass++) {
            long soFar = 0;
            while (soFar < graph.size()) {
                while (!travelling.isEmpty() && travelling.element().dueAt <= soFar) {
                    travelling.remove().updates.forEach(table::apply);
                }
                long edges = window.edges(soFar);
                // As many batches are on their way as there are assigners, or more.
                int size = (int) Math.min(EdgeBatch.DEFAULT_CAPACITY, Math.max(1, edges / assigners));
                EdgeBatch batch = new EdgeBatch(size).setPass(pass);
                for (int i = (int) soFar; i < Math.min(graph.size(), soFar + size); i++) {
                    batch.addFrom(graph, i);
                }
                soFar += batch.size();
                NumberedBatch numbered = lookups.ask(
                        batch,
                        lookup -> table.look(
                                lookup, views -> joins.get(views.assigner()).onViews(SimulatedChannels.copy(views))));
                joins.get(numbered.assigner()).onBatch(numbered);
                travelling.add(new Travelling(soFar - batch.size() + edges, List.copyOf(published)));
                published.clear();
            }
        }
        travelling.forEach(last -> last.updates.forEach(table::apply));
        return result(table.counts(), loads);
    }

    private static ViewJoin.Output output(Placement assigner, List<VertexUpdate> published) {
        return new ViewJoin.Output() {
            @Override
            public void observed(EdgeBatch batch) {}

            @Override
            public void joined(EdgeBatch batch) {
                assigner.accept(batch, (source, target, weight, timestamp, partition) -> {});
            }

            @Override
            public void publish(VertexUpdate update) {
                published.add(update);
            }
        };
    }

    private static StaleViews result(ReplicaCounts counts, List<PartitionLoads> loads) {
        PartitionLoads sum = new PartitionLoads(counts.partitionCount());
        loads.forEach(sum::addAll);
        long replicas = 0;
        for (int p = 0; p < counts.partitionCount(); p++) {
            replicas += counts.replicas(p);
        }
        return new StaleViews(
                (double) replicas / counts.vertices(),
                (double) sum.maxEdges() * counts.partitionCount() / sum.totalEdges());
    }
}
