package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.Outbox;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Homes of vertices that the parts of a graph tell each other, and what partitions hold. */
final class HomeExchange {
    private final GraphPart part;
    private final int[] homes;
    private final long[] sizes;
    private final long[] volumes;
    private final long[] sizesBefore;
    private final long[] volumesBefore;
    private final BitSet moved = new BitSet();
    private long @Nullable [] maxSizes;
    private long @Nullable [] maxVolumes;

    /**
     * @param homes of the vertices, those of copies included
     * @param sizes vertices of the part's own by home; those of all parts after the first exchange
     * @param volumes likewise
     */
    HomeExchange(GraphPart part, int[] homes, long[] sizes, long[] volumes) {
        this.part = part;
        this.homes = homes;
        this.sizes = sizes;
        this.volumes = volumes;
        sizesBefore = new long[sizes.length];
        volumesBefore = new long[sizes.length];
    }

    void moved(int vertex) {
        moved.set(vertex);
    }

    /**
     * Tells the changes since the last time and takes over those of the other parts.
     *
     * @param roomSizes vertices that may be at home at each partition; then a share of what is left of it
     * @param roomVolumes likewise
     */
    void exchange(long[] roomSizes, long[] roomVolumes) {
        if (maxSizes == null || maxVolumes == null) {
            maxSizes = roomSizes.clone();
            maxVolumes = roomVolumes.clone();
        }
        Outbox out = new Outbox(part.parts());
        for (int v = moved.nextSetBit(0); v >= 0; v = moved.nextSetBit(v + 1)) {
            for (int to = 0; to < part.parts(); to++) {
                int rank = to == part.part() ? -1 : part.rankAt(to, v);
                if (rank >= 0) {
                    out.add(to, (long) rank << Integer.SIZE | homes[v]);
                }
            }
        }
        moved.clear();
        part.receive(out, homes);
        long[] changes = new long[2 * sizes.length];
        for (int p = 0; p < sizes.length; p++) {
            changes[2 * p] = sizes[p] - sizesBefore[p];
            changes[2 * p + 1] = volumes[p] - volumesBefore[p];
        }
        changes = part.sum(changes);
        for (int p = 0; p < sizes.length; p++) {
            sizesBefore[p] += changes[2 * p];
            volumesBefore[p] += changes[2 * p + 1];
            sizes[p] = sizesBefore[p];
            volumes[p] = volumesBefore[p];
            roomSizes[p] = share(sizes[p], maxSizes[p]);
            roomVolumes[p] = share(volumes[p], maxVolumes[p]);
        }
    }

    /** Returns what a partition may hold if each part takes an even share of what is left. */
    private long share(long load, long max) {
        return load < max ? load + (max - load) / part.parts() : max;
    }
}
