package io.cutwater.state.algorithm.spring;

import io.cutwater.state.cluster.LargestFirst;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.VertexPartitioner;
import io.cutwater.state.rule.VertexPlacement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * SPRING: clusters of the edge stream are merged while they are small ({@link SpringClusters}, {@link SpringMerge}),
 * and go to the partitions by size, the largest first to the one with the fewest vertices.
 *
 * <p>A cluster takes part in the clustering up to a volume of {@code volume} · 2 m / k, and clusters merge up to
 * {@code slack} · n / k vertices. The input is read three times: degrees, clusters, places. (The released code neither
 * gives merged clusters a new rank nor sorts before it assigns; this is the paper's rule.)
 */
public final class SpringPartitioner implements VertexPartitioner {
    /** Volume up to which clusters grow, as a share of the average volume of a partition. */
    public static final NumericSetting VOLUME = new NumericSetting(
            "volume", "volume up to which clusters grow, as a share of the average of a partition", 0.1, 1e-9, 1e9);

    /** Vertices up to which clusters merge, as a share of the average of a partition. */
    public static final NumericSetting SLACK = new NumericSetting(
            "slack", "vertices up to which clusters merge, as a share of the average of a partition", 1.05, 1e-9, 1e9);

    private final int partitionCount;
    private final double slack;
    private final long maxVolume;
    private final int[] degrees;
    private @Nullable SpringClusters clusters;
    private int[] places = {};

    public SpringPartitioner(PartitionerOptions options, GraphSize size) {
        partitionCount = options.partitionCount();
        slack = SLACK.of(options);
        maxVolume = (long) (VOLUME.of(options) * 2 * size.edges() / partitionCount);
        degrees = new int[size.slots()];
    }

    @Override
    public Pass pass(int number, VertexPlacement placement) {
        switch (number) {
            case 0 -> {
                return Pass.EDGES;
            }
            case 1 -> {
                clusters = new SpringClusters(degrees, maxVolume);
                return Pass.EDGES;
            }
            case 2 -> {
                places = plan(Objects.requireNonNull(clusters, "clusters is null"));
                return Pass.PLACE;
            }
            default -> {
                return Pass.DONE;
            }
        }
    }

    @Override
    public void observeEdge(int source, int target) {
        if (clusters == null) {
            degrees[source]++;
            degrees[target]++;
        } else {
            clusters.add(source, target);
        }
    }

    private int[] plan(SpringClusters clusters) {
        SpringMerge merge = new SpringMerge(clusters, slack * degrees.length / partitionCount);
        long[] sizes = new long[degrees.length];
        for (int v = 0; v < degrees.length; v++) {
            sizes[merge.cluster(v)]++;
        }
        int[] plan = LargestFirst.plan(sizes, partitionCount);
        int[] places = new int[degrees.length];
        for (int v = 0; v < places.length; v++) {
            places[v] = plan[merge.cluster(v)];
        }
        return places;
    }

    @Override
    public int place(int vertex, int[] neighbours, int from, int to, VertexPlacement placement) {
        return places[vertex];
    }
}
