package io.cutwater.state.parts;

import java.util.BitSet;

/** Places of vertices that the parts of a graph tell each other, and what partitions hold. */
public final class PlacesExchange {
    private final GraphPart part;
    private final int[] places;
    private final long[][] loads;
    private final long[][] before;
    private final BitSet moved = new BitSet();

    /**
     * @param places of the vertices, those of copies included
     * @param loads of several kinds, each by partition: of the part's own vertices; after an exchange those of all
     *     parts, with the changes of this one from then on
     */
    public PlacesExchange(GraphPart part, int[] places, long[]... loads) {
        this.part = part;
        this.places = places;
        this.loads = loads;
        before = new long[loads.length][loads[0].length];
    }

    /** Takes down that an own vertex has another place. */
    public void moved(int vertex) {
        moved.set(vertex);
    }

    /** Tells the changes since the last time and takes over those of the other parts. */
    public void exchange() {
        Outbox out = new Outbox(part.parts());
        for (int v = moved.nextSetBit(0); v >= 0; v = moved.nextSetBit(v + 1)) {
            for (int to = 0; to < part.parts(); to++) {
                int rank = to == part.part() ? -1 : part.rankAt(to, v);
                if (rank >= 0) {
                    out.add(to, (long) rank << Integer.SIZE | places[v]);
                }
            }
        }
        moved.clear();
        part.receive(out, places);
        int partitions = before[0].length;
        long[] changes = new long[loads.length * partitions];
        for (int kind = 0; kind < loads.length; kind++) {
            for (int p = 0; p < partitions; p++) {
                changes[kind * partitions + p] = loads[kind][p] - before[kind][p];
            }
        }
        changes = part.sum(changes);
        for (int kind = 0; kind < loads.length; kind++) {
            for (int p = 0; p < partitions; p++) {
                before[kind][p] += changes[kind * partitions + p];
                loads[kind][p] = before[kind][p];
            }
        }
    }
}
