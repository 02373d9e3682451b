package io.cutwater.state.passes;

import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.parts.EdgeRoom;

/**
 * Makes fewer replicas of an edge placement by moving all edges at once that a vertex has on a partition, its
 * <em>foothold</em> there, if they are {@value FootholdEdges#MAX_EDGES} at most. {@link EdgePolish} moves one edge at a
 * time, and does not begin with a foothold of which the first edges would gain nothing.
 *
 * <p>Moving the foothold of v from p to q frees a replica of v, and one of each neighbour that has no other edge on p;
 * it makes one of v unless v is on q, and one of each neighbour that is not. The foothold goes where the difference is
 * best, the lowest of equally good ones, if there is room for its edges. Replicas beyond the cap of a partition count
 * twice: one more there costs two, one less gains two. A foothold may also leave for no fewer replicas, to a partition
 * with fewer edges; a vertex that is nowhere else does so only where edges or replicas are near their caps. So go the
 * many vertices of few edges that a graph with hubs and no communities has, whose neighbours are everywhere.
 *
 * <p>A part of a graph moves a foothold if it has all edges of it, the vertex be its own or another's. It has so those
 * of one edge, and the fewer of the larger ones the more parts there are. In a pass it does not see what others move.
 */
final class FootholdMoves {
    /** Gain of an edge that leaves a full partition for an empty one, in replicas: only decides between equals. */
    private static final double ROOM_GAIN = 0.05;

    /** Share of its edges from which a partition is near the cap. */
    private static final double NEARLY_FULL = 0.97;

    private static final double LEAST_GAIN = 1e-9; // above what rounding can make of nothing

    /** Partitions of the neighbours of a foothold, of all together; with more, evaluating it takes too long. */
    private static final int MAX_HOLDERS = 1 << 12;

    private final EdgeCounts counts;
    private final EdgePolish polish;
    private final FootholdEdges footholds;
    private final EdgeRoom room;
    private final long[] loads;
    private final long[] replicas;
    private final int[] holders; // by partition: ends of the edges of a foothold that have a replica there; else zeros
    private final int[] edges = new int[FootholdEdges.MAX_EDGES]; // of a foothold

    /**
     * @param polish has loads and replicas, and changes them and the counts with each move
     * @param range edges in memory at a time, unless the footholds of one vertex have more
     */
    FootholdMoves(
            BoundedGraph graph,
            EdgePlaces places,
            EdgeRoom room,
            long[] loads,
            long[] replicas,
            EdgeCounts counts,
            EdgePolish polish,
            long range) {
        this.room = room;
        this.loads = loads;
        this.replicas = replicas;
        this.counts = counts;
        this.polish = polish;
        footholds = new FootholdEdges(graph, places, loads.length, counts, range);
        holders = new int[loads.length];
    }

    /**
     * Makes a pass over all vertices.
     *
     * @param isForRoom whether footholds also move for room, not only for fewer replicas
     * @return edges that moved
     */
    long pass(boolean isForRoom) {
        long moves = 0;
        footholds.begin();
        while (footholds.next()) {
            long made = 0;
            for (int vertex = footholds.from(); vertex < footholds.to(); vertex++) {
                made += move(vertex, isForRoom);
            }
            footholds.end(made > 0);
            moves += made;
        }
        return moves;
    }

    private int move(int vertex, boolean isForRoom) {
        int moves = 0;
        int last = footholds.last(vertex);
        for (int first = footholds.first(vertex), end; first < last; first = end) {
            end = footholds.end(first, last);
            int from = footholds.partition(first);
            int count = footholds.gather(first, end, edges);
            if (count > 0 && counts.count(vertex, from) == count) { // else other edges have come
                int to = best(vertex, from, count, isForRoom);
                for (int i = 0; i < count && to != from; i++) {
                    polish.move(footholds.source(edges[i]), footholds.target(edges[i]), from, to);
                    footholds.setPlace(edges[i], to);
                    moves++;
                }
            }
        }
        return moves;
    }

    private int best(int vertex, int from, int count, boolean isForRoom) {
        double cap = polish.maxReplicas();
        int freed = 1;
        int size = counts.size(vertex);
        for (int i = 0; i < count; i++) {
            int other = footholds.other(edges[i], vertex);
            size += counts.size(other);
            freed += counts.count(other, from) == 1 ? 1 : 0;
        }
        boolean isFull = replicas[from] > cap || loads[from] > NEARLY_FULL * room.max(from);
        boolean isStaying = freed == 1 && counts.size(vertex) == 1 && !(isForRoom && isFull); // frees and makes one
        if (isStaying || size > MAX_HOLDERS) {
            return from;
        }
        hold(vertex);
        for (int i = 0; i < count; i++) {
            hold(footholds.other(edges[i], vertex));
        }
        double leaving = replicas[from] > cap ? 2 * freed : freed;
        double bestGain = isForRoom ? LEAST_GAIN : 0.5;
        int best = from;
        for (int i = -1; i < count; i++) {
            int end = i < 0 ? vertex : footholds.other(edges[i], vertex);
            long[] page = counts.page(end);
            int first = counts.first(end);
            for (int j = first + counts.size(end) - 1; j >= first; j--) {
                int to = EdgeCounts.partition(page[j]);
                int made = count + 1 - holders[to];
                if (holders[to] > 0 && to != from && made <= leaving && loads[to] + count <= room.cap(to)) {
                    double gain = leaving
                            - (replicas[to] + made > cap ? 2 * made : made)
                            - ROOM_GAIN * count * (loads[to] - loads[from] + count) / room.max(from);
                    if (gain > bestGain || gain == bestGain && to < best && best != from) {
                        best = to;
                        bestGain = gain;
                    }
                }
                holders[to] = 0;
            }
        }
        return best;
    }

    private void hold(int vertex) {
        long[] page = counts.page(vertex);
        int first = counts.first(vertex);
        for (int i = first + counts.size(vertex) - 1; i >= first; i--) {
            holders[EdgeCounts.partition(page[i])]++;
        }
    }
}
