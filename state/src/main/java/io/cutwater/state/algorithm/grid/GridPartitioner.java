package io.cutwater.state.algorithm.grid;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;

/**
 * Constrained candidates on a grid, as PowerGraph's grid ingress (Jain, Liao, Willke: GraphBuilder, GRADES 2013): no
 * vertex is ever on more than r + c − 1 partitions.
 *
 * <p>The k partitions are the cells of a grid of r rows and c columns, k = r · c, r the largest divisor of k that is at
 * most √k; partition p is the cell in row p / c and column p mod c. The hash of a vertex is a cell, and its
 * <em>constraint set</em> is that cell's row and column together. An edge goes to the least loaded partition in both
 * ends' constraint sets, the lowest of them on ties. With the source's cell in row i and column j and the target's in
 * row i' and column j', the intersection of the two sets is
 *
 * <ul>
 *   <li>the two cells (i, j') and (i', j), if i ≠ i' and j ≠ j';
 *   <li>the row i, if only i = i'; the column j, if only j = j';
 *   <li>the row and the column, if the cells are the same.
 * </ul>
 *
 * It is never empty. The closer r and c, the better the bound: 2√k − 1 for a square k, but k itself for a prime k,
 * whose grid is one row that every vertex may use.
 */
public final class GridPartitioner implements EdgePartitioner {
    private final long seed;
    private int rows;
    private int columns;

    public GridPartitioner(PartitionerOptions options) {
        seed = options.seed();
        layOut(options.partitionCount());
    }

    private void layOut(int partitionCount) {
        rows = rowsOf(partitionCount);
        columns = partitionCount / rows;
    }

    /** The largest divisor of k that is at most √k. */
    public static int rowsOf(int partitionCount) {
        int rows = (int) Math.sqrt(partitionCount);
        while (partitionCount % rows != 0) {
            rows--;
        }
        return rows;
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        if (rows * columns != loads.partitionCount()) {
            layOut(loads.partitionCount());
        }
        if (rows == 1) {
            return loads.leastLoaded(); // as the scan of the only row would find, at no cost for a large prime k
        }
        int sourceCell = cell(vertices.vertex(source));
        int targetCell = cell(vertices.vertex(target));
        int sourceRow = sourceCell / columns;
        int targetRow = targetCell / columns;
        int sourceColumn = sourceCell % columns;
        int targetColumn = targetCell % columns;
        long best = Math.min(
                loads.rank(sourceRow * columns + targetColumn), loads.rank(targetRow * columns + sourceColumn));
        if (sourceRow == targetRow) {
            for (int column = 0; column < columns; column++) {
                best = Math.min(best, loads.rank(sourceRow * columns + column));
            }
        }
        if (sourceColumn == targetColumn) {
            for (int row = 0; row < rows; row++) {
                best = Math.min(best, loads.rank(row * columns + sourceColumn));
            }
        }
        return PartitionLoads.partitionOf(best);
    }

    private int cell(long vertex) {
        return Hashing.reduce(Hashing.mix64(seed, vertex), rows * columns);
    }
}
