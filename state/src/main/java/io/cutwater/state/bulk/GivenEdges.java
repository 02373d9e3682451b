package io.cutwater.state.bulk;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.EdgePass;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.GraphPartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;

/**
 * Puts edges on their given partitions in a first pass, and in a second pass the others by a rule that sees these. No
 * partition gets one of the others while it has {@value #MAX_LOAD} times the mean: it goes to the emptiest partition
 * that has one of its ends, or else to the emptiest of all.
 */
final class GivenEdges implements GraphPartitioner {
    private static final double MAX_LOAD = 1.05;
    private static final long NONE = Long.MAX_VALUE;

    private final GivenPlaces given;
    private final int partitionCount;
    private final EdgePartitioner rule;

    GivenEdges(GivenPlaces given, int partitionCount, EdgePartitioner rule) {
        this.given = given;
        this.partitionCount = partitionCount;
        this.rule = rule;
    }

    @Override
    public void place(BoundedGraph graph, EdgePlaces places) {
        VertexTable vertices = new VertexTable(rule.layout(partitionCount));
        PartitionLoads loads = new PartitionLoads(partitionCount);
        long cap = (long) Math.ceil(MAX_LOAD * graph.edgeCount() / partitionCount);
        for (int number = 0; number < 2; number++) {
            try (EdgePass edges = graph.edges();
                    EdgePlaces.Pass pass = places.pass()) {
                while (edges.next()) {
                    if (pass.next() == EdgePlaces.NONE) {
                        place(graph, edges, number == 0, vertices, loads, cap, pass);
                    }
                }
            }
        }
    }

    private void place(
            BoundedGraph graph,
            EdgePass edges,
            boolean isGiven,
            VertexTable vertices,
            PartitionLoads loads,
            long cap,
            EdgePlaces.Pass pass) {
        long sourceId = graph.vertex(edges.source());
        long targetId = graph.vertex(edges.target());
        int partition = isGiven ? given.take(sourceId, targetId) : 0;
        if (partition < 0) {
            return;
        }
        int source = vertices.slot(sourceId);
        int target = sourceId == targetId ? source : vertices.slot(targetId, source);
        vertices.countEdge(source);
        vertices.countEdge(target);
        if (!isGiven) {
            partition = rule.place(vertices, source, target, loads);
            if (loads.edges(partition) >= cap) {
                partition = withRoom(vertices, source, target, loads, cap);
            }
        }
        loads.addEdge(partition);
        vertices.addReplica(source, partition, loads);
        vertices.addReplica(target, partition, loads);
        pass.set(partition);
    }

    private static int withRoom(VertexTable vertices, int source, int target, PartitionLoads loads, long cap) {
        long emptiest = NONE;
        for (int word = 0; word < vertices.replicaWords(); word++) {
            long holders = vertices.replicaWord(source, word) | vertices.replicaWord(target, word);
            emptiest = loads.smallestRank(word, holders, emptiest);
        }
        return emptiest != NONE && PartitionLoads.edgesOf(emptiest) < cap
                ? PartitionLoads.partitionOf(emptiest)
                : loads.leastLoaded();
    }
}
