package io.cutwater.state.feedback.move;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.RepartitionPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The effects of a plan as pairs of numbers: edges and edges to move; moves and vertices; and, before and after the
 * moves, the number of partitions with 0 for an edge partitioning or 1 for a vertex partitioning, and for each of them
 * vertices and edges, and then volume and halo.
 */
final class PlanRows {
    private PlanRows() {}

    static void append(RepartitionPlan plan, EdgeBatch into) {
        into.add(plan.edges(), plan.edgesToMove());
        into.add(plan.moves(), plan.before().vertices());
        append(plan.before(), into);
        append(plan.expected(), into);
    }

    private static void append(Quality quality, EdgeBatch into) {
        into.add(quality.partitions(), quality.kind().hasOwners() ? 1 : 0);
        for (PartitionQuality partition : quality.perPartition()) {
            into.add(partition.vertices(), partition.edges());
            into.add(partition.volume(), partition.halo());
        }
    }

    static RepartitionPlan read(EdgeBatch rows) {
        Quality before = quality(rows, 2);
        Quality expected = quality(rows, 3 + 2 * before.partitions());
        return new RepartitionPlan(rows.source(0), rows.target(0), rows.source(1), before, expected);
    }

    private static Quality quality(EdgeBatch rows, int at) {
        int partitions = (int) rows.source(at);
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            int row = at + 1 + 2 * p;
            perPartition.add(new PartitionQuality(
                    p, rows.source(row), rows.source(row + 1), rows.target(row + 1), rows.target(row)));
        }
        PartitioningKind kind = rows.target(at) == 0 ? PartitioningKind.EDGE : PartitioningKind.VERTEX;
        return new Quality(kind, partitions, rows.target(1), rows.source(0), 0, perPartition);
    }
}
