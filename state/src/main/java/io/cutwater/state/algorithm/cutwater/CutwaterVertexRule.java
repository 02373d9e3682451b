package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.algorithm.fennel.FennelPrice;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.joint.EarlierOwners;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.NeighbourCounts;
import io.cutwater.state.rule.OwnerLoads;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cutwater's live rule for vertices. A vertex with buffered edges has a home, which follows its neighbours; see
 * {@link Placement}. A vertex gets the owner with the largest
 *
 * <pre>
 *   e(v, p) + 0.8 · h(v, p) − price of p
 * </pre>
 *
 * of the partitions with less than {@link OwnerLoads#capacity} and, the vertex counted, at most max(live-volume-slack ·
 * vol / k, 1024) of the volume; vol being that of all vertices with an owner, buffered edges included. e(v, p) are the
 * edges to vertices that p owns, h(v, p) those to vertices that have their home there and no owner; the price is
 * Fennel's with γ = 1.5. Ties go to the partition with the fewest vertices, the lowest of them.
 *
 * <p>The partition with the fewest vertices may be chosen whatever its volume; and volume comes after the choice, with
 * every edge more. So the bound on vertices always holds, that on volume is a direction.
 */
public final class CutwaterVertexRule implements JointVertexRule {
    public static final NumericSetting WINDOW = Settings.WINDOW.withDefault(50_000);
    public static final NumericSetting VERTEX_SLACK = Settings.VERTEX_SLACK;

    /** Slack of the sums of degrees; the default is {@code volume-slack} if that is set. */
    public static final NumericSetting LIVE_VOLUME_SLACK = new NumericSetting(
            "live-volume-slack",
            "sum of degrees that a partition may own when a vertex is placed live, over the average; volume-slack if only that is set",
            1.3,
            1,
            1e6);

    /** Bounds the plans that a live job makes when it bootstraps and re-partitions, or for a buffer of all edges. */
    public static final NumericSetting VOLUME_SLACK = Settings.VOLUME_SLACK;

    private static final double VOLUME_FLOOR = 16 * OwnerLoads.CAPACITY_FLOOR;
    private static final double GAMMA = 1.5;
    private static final int OWNER_WEIGHT = 5;
    private static final int HOME_WEIGHT = 4;

    private final PartitionerOptions options;
    private final int bufferSize;
    private final int windowSize;
    private final double vertexSlack;
    private final double volumeSlack;
    private final long soloEdges;
    private final FennelPrice price = new FennelPrice(GAMMA);

    public CutwaterVertexRule(PartitionerOptions options) {
        this.options = options;
        bufferSize = (int) CutwaterJointPartitioner.BUFFER.wholeOf(options);
        windowSize = (int) WINDOW.wholeOf(options);
        vertexSlack = VERTEX_SLACK.of(options);
        volumeSlack = liveVolumeSlack(options);
        soloEdges = CutwaterPartitioner.SOLO.wholeOf(options);
    }

    private static double liveVolumeSlack(PartitionerOptions options) {
        boolean isPlanned = options.settings().containsKey(VOLUME_SLACK.name())
                && !options.settings().containsKey(LIVE_VOLUME_SLACK.name());
        return (isPlanned ? VOLUME_SLACK : LIVE_VOLUME_SLACK).of(options);
    }

    /** With a buffer, the last ones are in it when the others begin. */
    @Override
    public long soloEdges() {
        return soloEdges == 0 ? 0 : soloEdges + bufferSize;
    }

    @Override
    public int windowSize() {
        return windowSize;
    }

    @Override
    public int bufferSize() {
        return bufferSize;
    }

    @Override
    public double capacity(long vertices, int partitionCount) {
        return OwnerLoads.capacity(vertexSlack, vertices, partitionCount);
    }

    @Override
    public int @Nullable [] owners(BoundedGraph graph, EarlierOwners earlier, boolean isWhole, boolean isKeeping) {
        // A part may be as uneven as what single vertices leave; later ones even it out.
        double slack = isWhole ? VOLUME_SLACK.of(options) : volumeSlack;
        Map<String, String> settings =
                Map.of(VERTEX_SLACK.name(), Double.toString(vertexSlack), VOLUME_SLACK.name(), Double.toString(slack));
        PartitionerOptions bulk = new PartitionerOptions(
                options.kind(), options.algorithm(), earlier.owned().length, options.seed(), PassMode.BULK, settings);
        return CutwaterVertexPartitioner.beside(earlier, graph, bulk, isWhole, isKeeping);
    }

    @Override
    public boolean hasHomes() {
        return true;
    }

    @Override
    public int ownerWeight() {
        return OWNER_WEIGHT;
    }

    @Override
    public int homeWeight() {
        return HOME_WEIGHT;
    }

    @Override
    public boolean takesMoved(int partition, long degree, OwnerLoads loads) {
        double maxVolume = Math.max(volumeSlack * loads.totalComingVolume() / loads.partitionCount(), VOLUME_FLOOR);
        return loads.owned(partition) + 1
                        <= OwnerLoads.capacity(vertexSlack, loads.totalOwned(), loads.partitionCount())
                && loads.comingVolume(partition) + degree <= maxVolume;
    }

    @Override
    public int owner(long vertex, int degree, NeighbourCounts counts, OwnerLoads loads) {
        double capacity = loads.capacity(vertexSlack);
        double volume = loads.totalComingVolume() + (double) degree;
        double maxVolume = Math.max(volumeSlack * volume / loads.partitionCount(), VOLUME_FLOOR);
        price.prepare(degree, loads);
        int best = loads.leastOwned();
        double bestScore = score(best, counts, loads);
        for (int i = 0; i < counts.size(); i++) {
            int p = counts.partition(i);
            if (loads.owned(p) < capacity && loads.comingVolume(p) + degree <= maxVolume) {
                double score = score(p, counts, loads);
                if (score > bestScore || score == bestScore && loads.isLess(p, best)) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best;
    }

    private double score(int partition, NeighbourCounts counts, OwnerLoads loads) {
        return (double) counts.of(partition) / OWNER_WEIGHT - price.of(partition, loads);
    }
}
