package io.cutwater.trainer.torch;

import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import java.util.Arrays;

/**
 * Weighted edges from sources to targets, ordered by target. The arrays must not change.
 *
 * @param offsets first edge of each target, and the number of edges
 * @param sources source of each edge
 * @param weights weight of each edge
 */
public record Edges(int targetCount, int sourceCount, int[] offsets, int[] sources, float[] weights) {
    /** Returns the edges of a mean over the neighbours of each target. */
    public static Edges meanOfNeighbours(Hop hop) {
        float[] weights = new float[hop.edgeCount()];
        for (int target = 0; target < hop.targetCount(); target++) {
            Arrays.fill(weights, hop.offsets()[target], hop.offsets()[target + 1], 1f / hop.size(target));
        }
        return new Edges(hop.targetCount(), hop.sourceCount(), hop.offsets(), hop.sources(), weights);
    }

    /** Returns the edges of a mean over each target and its neighbours. */
    public static Edges meanWithSelf(Hop hop) {
        float[] weights = new float[countWithSelf(hop)];
        int at = 0;
        for (int target = 0; target < hop.targetCount(); target++) {
            int end = at + hop.size(target) + 1;
            Arrays.fill(weights, at, end, 1f / (hop.size(target) + 1));
            at = end;
        }
        return withSelf(hop, weights);
    }

    /** Returns the weights of {@code normalisedSum} of the layers. */
    public static Edges normalisedSum(Hop hop) {
        int[] degrees = hop.degrees();
        float[] weights = new float[countWithSelf(hop)];
        int at = 0;
        for (int target = 0; target < hop.targetCount(); target++) {
            int listed = hop.listed()[target];
            double own = listed + 1.0;
            weights[at++] = (float) (1 / Math.sqrt(own * (degrees[target] + 1.0)));
            double share = listed == 0 ? 0 : (double) listed / hop.size(target);
            for (int i = hop.offsets()[target]; i < hop.offsets()[target + 1]; i++) {
                weights[at++] = (float) (share / Math.sqrt(own * (degrees[hop.sources()[i]] + 1.0)));
            }
        }
        return withSelf(hop, weights);
    }

    private static Edges withSelf(Hop hop, float[] weights) {
        return new Edges(hop.targetCount(), hop.sourceCount(), offsetsWithSelf(hop), sourcesWithSelf(hop), weights);
    }

    /** Returns the number of edges including a self-loop of each target. */
    public static int countWithSelf(Hop hop) {
        return hop.edgeCount() + hop.targetCount();
    }

    /** Returns the first edge of each target, self-loops included, and the number of edges. */
    public static int[] offsetsWithSelf(Hop hop) {
        int[] offsets = new int[hop.targetCount() + 1];
        for (int target = 0; target <= hop.targetCount(); target++) {
            offsets[target] = hop.offsets()[target] + target;
        }
        return offsets;
    }

    /** Returns the source of each edge; the first edge of each target is its self-loop. */
    public static int[] sourcesWithSelf(Hop hop) {
        int[] sources = new int[countWithSelf(hop)];
        for (int target = 0; target < hop.targetCount(); target++) {
            int begin = hop.offsets()[target];
            sources[begin + target] = target;
            System.arraycopy(hop.sources(), begin, sources, begin + target + 1, hop.size(target));
        }
        return sources;
    }

    /**
     * Writes edges by target and by source in the layout that {@code step.torchscript} documents.
     *
     * @return the position after them
     */
    static int pack(int targets, int sources, int[] offsets, int[] sourceOfEdges, int[] into, int from) {
        int count = offsets[targets];
        System.arraycopy(offsets, 0, into, from, targets + 1);
        System.arraycopy(sourceOfEdges, 0, into, from + targets + 1, count);
        transpose(targets, sources, offsets, sourceOfEdges, into, from + targets + 1 + count);
        return from + targets + 1 + sources + 1 + 3 * count;
    }

    /** Returns the places of sparse rows in the layout that {@code step.torchscript} documents. */
    static int[] pack(InputRows.Sparse rows) {
        int count = rows.offsets()[rows.rows()];
        int[] packed = new int[Math.toIntExact(rows.rows() + 1L + rows.columns() + 1L + 3L * count)];
        pack(rows.rows(), rows.columns(), rows.offsets(), rows.indices(), packed, 0);
        return packed;
    }

    /**
     * Writes compressed rows as compressed columns: the starts of the columns, the row of each value, and its position
     * among those by row.
     */
    private static void transpose(int rows, int columns, int[] offsets, int[] indices, int[] into, int from) {
        int count = offsets[rows];
        int rowAt = from + columns + 1;
        int positionAt = rowAt + count;
        int[] next = new int[columns + 1];
        for (int i = 0; i < count; i++) {
            next[indices[i] + 1]++;
        }
        for (int column = 0; column < columns; column++) {
            next[column + 1] += next[column];
        }
        System.arraycopy(next, 0, into, from, columns + 1);
        for (int row = 0; row < rows; row++) {
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                int at = next[indices[i]]++;
                into[rowAt + at] = row;
                into[positionAt + at] = i;
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Edges that
                && sourceCount == that.sourceCount
                && Arrays.equals(offsets, that.offsets)
                && Arrays.equals(sources, that.sources)
                && Arrays.equals(weights, that.weights);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sources);
    }
}
