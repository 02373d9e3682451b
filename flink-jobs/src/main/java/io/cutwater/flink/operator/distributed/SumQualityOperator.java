package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Sums the quality of all tasks into one report: edges from the assigners; vertices and replicas from the tables, which
 * count the updates applied so far. A single assigner knows both exactly. The operator has parallelism 1 and no state:
 * every task reports again when an attempt begins.
 *
 * <p>A runtime operator, because a report that is due has to leave before a barrier.
 */
public final class SumQualityOperator extends AbstractStreamOperator<JobQuality>
        implements OneInputStreamOperator<PartQuality, JobQuality>, BoundedOneInput {
    private final int assigners;
    private final int tables;
    private final long intervalMillis;

    private transient PartQuality[] parts;
    private transient int missing;
    private transient boolean isDue;
    private transient long lastMillis;
    private transient volatile Quality lastSum;
    private transient volatile long unknownRemovals;

    public SumQualityOperator(AssignOptions options, SpreadOptions spread) {
        assigners = spread.assigners();
        tables = spread.tables();
        intervalMillis = options.reportsEvery().toMillis();
    }

    @Override
    public void open() throws Exception {
        super.open();
        parts = new PartQuality[assigners + tables];
        missing = parts.length;
        lastSum = Quality.ofEdges(0, 0, 0, 0, List.of());
        new LoopMetrics(getMetricGroup()).register(() -> lastSum, () -> unknownRemovals);
    }

    @Override
    public void processElement(StreamRecord<PartQuality> element) {
        PartQuality part = element.getValue();
        if (parts[part.part()] == null) {
            missing--;
        }
        parts[part.part()] = part;
        isDue = true;
        long now = getProcessingTimeService().getCurrentProcessingTime();
        if (now - lastMillis >= intervalMillis) {
            lastMillis = now;
            report();
        }
    }

    private void report() {
        if (missing > 0 || !isDue) {
            return;
        }
        isDue = false;
        if (parts[0].isExact()) {
            PartQuality all = parts[0];
            lastSum = all.quality();
            unknownRemovals = all.unknownRemovals();
            output.collect(new StreamRecord<>(new JobQuality(lastSum, all.pass(), all.progress(), unknownRemovals)));
            return;
        }
        long deadLetters = 0;
        long unknown = 0;
        int pass = 0;
        long progress = 0;
        for (PartQuality part : parts) {
            deadLetters += part.quality().deadLetters();
            unknown += part.unknownRemovals();
            pass = Math.max(pass, part.pass());
            progress = Math.max(progress, part.progress());
        }
        lastSum = sum(deadLetters);
        unknownRemovals = unknown;
        output.collect(new StreamRecord<>(new JobQuality(lastSum, pass, progress, unknown)));
    }

    /** Sums edges and volumes of the assigners, and vertices of the tables. */
    private Quality sum(long deadLetters) {
        Quality first = parts[0].quality();
        boolean hasOwners = first.kind().hasOwners();
        int k = first.partitions();
        long vertices = 0;
        long edges = 0;
        List<PartitionQuality> perPartition = new ArrayList<>(k);
        for (int p = 0; p < k; p++) {
            long own = 0;
            long volume = 0;
            long halo = 0;
            long shardEdges = 0;
            for (int i = 0; i < parts.length; i++) {
                List<PartitionQuality> ofTask = parts[i].quality().perPartition();
                if (p >= ofTask.size()) {
                    continue; // it has not heard yet that there are more partitions
                }
                PartitionQuality part = ofTask.get(p);
                boolean isTable = i >= assigners;
                own += isTable ? part.vertices() : 0;
                halo += isTable && hasOwners ? part.halo() : 0;
                volume += isTable || !hasOwners ? 0 : part.volume();
                shardEdges += isTable ? 0 : part.edges();
            }
            perPartition.add(
                    hasOwners
                            ? new PartitionQuality(p, own, volume, halo, shardEdges)
                            : new PartitionQuality(p, own, shardEdges));
        }
        for (int i = 0; i < parts.length; i++) {
            vertices += i < assigners ? 0 : parts[i].quality().vertices();
            edges += i < assigners ? parts[i].quality().edges() : 0;
        }
        return hasOwners
                ? Quality.ofVertices(k, vertices, edges, deadLetters, perPartition)
                : Quality.ofEdges(k, vertices, edges, deadLetters, perPartition);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        report();
    }

    @Override
    public void endInput() {
        if (missing > 0) {
            throw new IllegalStateException(
                    "%d of %d tasks have not reported their part of the quality; please report this as a defect"
                            .formatted(missing, parts.length));
        }
        report();
    }
}
