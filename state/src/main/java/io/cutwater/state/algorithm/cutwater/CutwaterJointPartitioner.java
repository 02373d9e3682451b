package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.cluster.Homes;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.joint.EarlierPlaces;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cutwater's live rule for edges that are placed together, a buffer at a time, with the means of the bulk rule
 * ({@link CutwaterBulkPartitioner}): clusters of the buffer, a plan that knows what is on the partitions and where each
 * cluster has earlier edges, and a polish of the buffer. Earlier edges stay where they are. A buffer of the whole graph
 * is placed as in bulk. Edges of a buffer that shows no communities are placed by {@link CutwaterPartitioner}.
 *
 * <p>Buffered graphs with one artificial vertex per partition are from Faraj and Schulz: Buffered streaming graph
 * partitioning (HeiStream), JEA 2022; a buffer in which what is known best goes first from Baumgärtner, Chhabra, Faraj,
 * Schulz: BuffCut: Prioritized buffered streaming graph partitioning, SEA 2026.
 *
 * <p>A vertex keeps how many of its edges were placed of late, by partition, in the counters that
 * {@link CutwaterPartitioner} has for the homes of neighbours. A single edge is placed by that rule.
 */
public final class CutwaterJointPartitioner implements JointPartitioner {
    /** Edges that are placed together; 0 for none. */
    public static final NumericSetting BUFFER = new NumericSetting(
            "buffer", "edges that are buffered and placed together; 0 places them one by one", 0, 0, MAX_BUFFER);

    private final CutwaterPartitioner single;
    private final PartitionerOptions options;
    private final int bufferSize;
    private final double imbalance;
    private final Homes homes;

    private CutwaterJointPartitioner(PartitionerOptions options, int bufferSize) {
        this.options = options;
        this.bufferSize = bufferSize;
        imbalance = CutwaterPartitioner.IMBALANCE.of(options);
        homes = new Homes(options.partitionCount());
        single = new CutwaterPartitioner(options, homes);
    }

    /** Returns the live rule that the options ask for, this one or {@link CutwaterPartitioner}. */
    public static EdgePartitioner of(PartitionerOptions options) {
        int bufferSize = (int) BUFFER.wholeOf(options);
        return bufferSize == 0 ? new CutwaterPartitioner(options) : new CutwaterJointPartitioner(options, bufferSize);
    }

    @Override
    public int bufferSize() {
        return bufferSize;
    }

    /** The last ones are in the buffer when the others begin. */
    @Override
    public long soloEdges() {
        return single.soloEdges() == 0 ? 0 : single.soloEdges() + bufferSize;
    }

    @Override
    public long maxEdges(long edges, int partitionCount) {
        return (long) RunningCap.of((double) edges / partitionCount, imbalance);
    }

    @Override
    public long homesOn(int partition) {
        return homes.on(partition);
    }

    @Override
    public int @Nullable [] place(BoundedGraph buffer, EarlierPlaces earlier, boolean isWhole, EdgePlaces places) {
        Map<String, String> settings = Map.of(CutwaterPartitioner.IMBALANCE.name(), Double.toString(imbalance));
        PartitionerOptions bulk = new PartitionerOptions(
                options.kind(),
                options.algorithm(),
                earlier.loads().partitionCount(),
                options.seed(),
                PassMode.BULK,
                settings);
        return CutwaterBulkPartitioner.place(buffer, CutwaterBulkOptions.of(bulk), earlier, isWhole, places);
    }

    @Override
    public BufferedPartitioner oneByOne() {
        return single;
    }

    @Override
    public void placed(VertexColumns vertices, int source, int target, int partition) {
        if (source != target) {
            vertices.countNeighbourHome(source, partition);
            vertices.countNeighbourHome(target, partition);
        }
    }

    @Override
    public void settle(VertexColumns vertices, int slot, int home) {
        if (vertices.storedHome(slot) != home) {
            homes.move(vertices, slot, home);
        }
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        return single.layout(partitionCount);
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        return single.place(vertices, source, target, loads);
    }

    @Override
    public void recorded(VertexColumns vertices, int source, int target, int partition) {
        single.recorded(vertices, source, target, partition);
    }

    @Override
    public boolean takesMoved(int partition, PartitionLoads loads) {
        return single.takesMoved(partition, loads);
    }

    @Override
    public void moved(VertexColumns vertices, int source, int target, int to) {
        single.moved(vertices, source, target, to);
    }

    @Override
    public void removed(VertexColumns vertices, int source, int target) {
        single.removed(vertices, source, target);
    }

    @Override
    public boolean canChangePartitions() {
        return single.canChangePartitions();
    }

    @Override
    public void restrictTo(int open) {
        single.restrictTo(open);
    }

    @Override
    public List<byte[]> snapshot() {
        return single.snapshot();
    }

    @Override
    public void restore(List<byte[]> snapshot) {
        single.restore(snapshot);
    }
}
