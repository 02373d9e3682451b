package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.ReplicaCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reports the part of the quality that a vertex table counts: the replicas or owners of its vertices. */
final class TableQuality {
    private final BucketTable table;
    private final boolean hasOwners;
    private final long intervalMillis;
    private final int part;
    private final Consumer<PartQuality> reports;
    private long lastMillis;
    private boolean isDue;

    /** @param part number of the table, behind those of the assigners */
    TableQuality(BucketTable table, AssignOptions options, int part, Consumer<PartQuality> reports) {
        this.table = table;
        hasOwners = options.kind().hasOwners();
        intervalMillis = options.reportsEvery().toMillis();
        this.part = part;
        this.reports = reports;
    }

    /** Takes down that something has changed since the last report. */
    void changed() {
        isDue = true;
    }

    /** Reports if the interval is over. */
    void reportInTime(long nowMillis) {
        if (nowMillis - lastMillis >= intervalMillis) {
            lastMillis = nowMillis;
            report();
        }
    }

    /** Reports if something has changed. */
    void reportChanges() {
        if (isDue) {
            report();
        }
    }

    void report() {
        isDue = false;
        ReplicaCounts counts = table.counts();
        Quality quality = hasOwners ? ofOwners(counts, table.owned()) : ofReplicas(counts);
        reports.accept(new PartQuality(part, false, quality, 0, 0, 0));
    }

    private static Quality ofReplicas(ReplicaCounts counts) {
        List<PartitionQuality> perPartition = new ArrayList<>(counts.partitionCount());
        for (int p = 0; p < counts.partitionCount(); p++) {
            perPartition.add(new PartitionQuality(p, counts.replicas(p), 0));
        }
        return Quality.ofEdges(counts.partitionCount(), counts.vertices(), 0, 0, perPartition);
    }

    private static Quality ofOwners(ReplicaCounts counts, long[] owned) {
        List<PartitionQuality> perPartition = new ArrayList<>(owned.length);
        for (int p = 0; p < owned.length; p++) {
            perPartition.add(new PartitionQuality(p, owned[p], 0, counts.replicas(p) - owned[p], 0));
        }
        return Quality.ofVertices(owned.length, counts.vertices(), 0, 0, perPartition);
    }
}
