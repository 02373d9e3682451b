package io.cutwater.trainer.fullgraph;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.exchange.Direction;
import io.cutwater.trainer.exchange.RowExchange;
import io.cutwater.trainer.exchange.ShardRows;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.FloatBuffer;

/**
 * Sums over the neighbours of vertices in the whole graph: out_v = b_v (Σ a_u x_u [+ a_v x_v]). In a vertex
 * partitioning a shard has all neighbours of its own vertices, and needs rows of the others. In an edge partitioning
 * each shard that has a vertex adds what it has, and the master adds these partial sums (as DistGNN, Md et al. 2021).
 * On the heap: 4 bytes per endpoint of an edge and 8 per vertex.
 */
final class NeighbourSums {
    private static final int BLOCK = 256; // columns of features that are summed at a time

    private final ShardRows rows;
    private final RowExchange exchange;
    private final boolean isPartial;
    private final int[] offsets;
    private final int[] neighbours;
    private final float[] degrees;

    /** What a layer multiplies rows with, before and after the sum. */
    enum Norm {
        /** Graph convolution: 1 / √(d + 1) before and after, with a self-loop. */
        SYMMETRIC,
        /** The mean of the neighbours. */
        MEAN,
        /** The mean of a vertex and its neighbours. */
        MEAN_WITH_SELF;

        boolean hasSelf() {
            return this != MEAN;
        }

        private float before(float degree) {
            return this == SYMMETRIC ? (float) (1 / Math.sqrt(degree + 1.0)) : 1;
        }

        private float after(float degree) {
            return switch (this) {
                case SYMMETRIC -> before(degree);
                case MEAN -> degree == 0 ? 0 : 1 / degree;
                case MEAN_WITH_SELF -> 1 / (degree + 1);
            };
        }
    }

    NeighbourSums(ShardStore store, ShardRows rows, RowExchange exchange, PartitioningKind kind)
            throws IOException, InterruptedException {
        this.rows = rows;
        this.exchange = exchange;
        isPartial = kind == PartitioningKind.EDGE;
        int[] locals = new int[rows.count()];
        for (int local = 0; local < locals.length; local++) {
            locals[rows.ofLocal(local)] = local;
        }
        offsets = new int[summed() + 1];
        for (int row = 0; row < summed(); row++) {
            long end = offsets[row] + store.begin(locals[row] + 1) - store.begin(locals[row]);
            if (end > Integer.MAX_VALUE - 8) {
                throw new IOException(
                        "shard %d has more than 2^31 ends of edges, too many for --mode full-graph; use more partitions"
                                .formatted(store.shard()));
            }
            offsets[row + 1] = (int) end;
        }
        neighbours = new int[offsets[summed()]];
        for (int row = 0; row < summed(); row++) {
            long from = store.begin(locals[row]) - offsets[row];
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                neighbours[i] = rows.ofLocal(store.neighbour(from + i));
            }
        }
        degrees = new float[rows.count()];
        for (int row = 0; row < summed(); row++) {
            degrees[row] = offsets[row + 1] - offsets[row];
        }
        if (isPartial) {
            exchange.gather(Direction.INPUT_GATHER, 0, 0, 0, degrees, degrees, 1);
        }
        exchange.scatter(Direction.INPUT_SCATTER, 0, 0, degrees, degrees, 1);
    }

    /** Returns the number of rows that have neighbours here. */
    int summed() {
        return isPartial ? rows.count() : rows.ownCount();
    }

    /** Returns the number of endpoints of edges that a sum reads. */
    long edges() {
        return neighbours.length;
    }

    /** Returns whether other shards may have neighbours of own rows that are not here. */
    boolean isPartial() {
        return isPartial;
    }

    /** Returns the number of neighbours here of the rows before one. */
    int edgesOf(int row) {
        return offsets[row];
    }

    /** Returns the number of neighbours of a row in this shard. */
    int degree(int row) {
        return offsets[row + 1] - offsets[row];
    }

    /** Returns the row of a neighbour. */
    int neighbour(int row, int number) {
        return neighbours[offsets[row] + number];
    }

    /**
     * Sums rows of all shards.
     *
     * @param isTransposed whether to apply the transposed matrix, for gradients
     * @param values one row for each own vertex
     * @param measured rows whose change decides whether rows are sent; may be {@code values}
     * @return one row for each own vertex
     */
    float[] sum(
            Norm norm,
            boolean isTransposed,
            Direction scatter,
            Direction gather,
            int layer,
            int epoch,
            float[] values,
            float[] measured,
            int columns)
            throws IOException, InterruptedException {
        float[] scaled = scaled(norm, isTransposed, values, columns);
        float[] scaledMeasured = measured == values ? scaled : scaled(norm, isTransposed, measured, columns);
        int oldest = exchange.scatter(scatter, layer, epoch, scaled, scaledMeasured, columns);
        float[] sums = Products.zeros(summed(), columns);
        addNeighbours(scaled, columns, sums);
        if (isPartial) {
            float[] sumsMeasured = sums;
            if (measured != values) { // of own rows only: those of others are not known without dropout
                sumsMeasured = Products.zeros(summed(), columns);
                addNeighbours(scaledMeasured, columns, sumsMeasured);
            }
            exchange.gather(gather, layer, epoch, oldest, sums, sumsMeasured, columns);
        }
        for (int row = 0; row < rows.ownCount(); row++) {
            finish(norm, isTransposed, row, scaled, sums, columns);
        }
        return sums;
    }

    /** Sums own rows only. */
    float[] sumOfOwn(Norm norm, float[] values, int columns) {
        float[] scaled = scaled(norm, false, values, columns);
        float[] sums = Products.zeros(summed(), columns);
        addNeighbours(scaled, columns, sums);
        for (int row = 0; row < rows.ownCount(); row++) {
            finish(norm, false, row, scaled, sums, columns);
        }
        return sums;
    }

    /** Returns own rows times the factor before the sum, and zeros for the rows of others. */
    private float[] scaled(Norm norm, boolean isTransposed, float[] values, int columns) {
        float[] scaled = Products.zeros(rows.count(), columns);
        for (int row = 0; row < rows.ownCount(); row++) {
            float factor = isTransposed ? norm.after(degrees[row]) : norm.before(degrees[row]);
            Products.addScaled(factor, values, row * columns, scaled, row * columns, columns);
        }
        return scaled;
    }

    private void addNeighbours(float[] values, int columns, float[] sums) {
        for (int row = 0; row < summed(); row++) {
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                Products.addScaled(1, values, neighbours[i] * columns, sums, row * columns, columns);
            }
        }
    }

    private void finish(Norm norm, boolean isTransposed, int row, float[] scaled, float[] sums, int columns) {
        float factor = isTransposed ? norm.before(degrees[row]) : norm.after(degrees[row]);
        for (int i = row * columns; i < (row + 1) * columns; i++) {
            sums[i] = factor * (norm.hasSelf() ? sums[i] + scaled[i] : sums[i]);
        }
    }

    /** Sums the features, which are known for all vertices of the shard: a gather at most, and only once. */
    InputMatrix sumOfInputs(Norm norm, ShardStore store) throws IOException, InterruptedException {
        return inputs(store, rows.ownCount(), (layer, block, width) -> {
            for (int row = 0; row < rows.count(); row++) {
                float factor = norm.before(degrees[row]);
                for (int i = row * width; i < (row + 1) * width; i++) {
                    block[i] *= factor;
                }
            }
            float[] sums = Products.zeros(summed(), width);
            addNeighbours(block, width, sums);
            if (isPartial) {
                exchange.gather(Direction.INPUT_GATHER, 1 + layer, 0, 0, sums, sums, width);
            }
            for (int row = 0; row < rows.ownCount(); row++) {
                finish(norm, false, row, block, sums, width);
            }
            return sums;
        });
    }

    /** Returns the features of the own vertices. */
    InputMatrix ownInputs(ShardStore store) throws IOException, InterruptedException {
        return inputs(store, rows.ownCount(), (layer, block, width) -> block);
    }

    /** Returns the features of all rows. */
    InputMatrix allInputs(ShardStore store) throws IOException, InterruptedException {
        return inputs(store, rows.count(), (layer, block, width) -> block);
    }

    private interface BlockChange {
        float[] apply(int number, float[] block, int width) throws IOException, InterruptedException;
    }

    private InputMatrix inputs(ShardStore store, int count, BlockChange change)
            throws IOException, InterruptedException {
        Features features = store.features();
        InputMatrix.Builder builder = new InputMatrix.Builder(count, features.columns());
        long[] positions = new long[rows.count()]; // of the next value, if sparse
        if (features instanceof SparseFeatures sparse) {
            for (int local = 0; local < positions.length; local++) {
                positions[local] = sparse.begin(local);
            }
        }
        FloatBuffer whole = FloatBuffer.allocate(features.columns());
        for (int first = 0; first < features.columns(); first += BLOCK) {
            int width = Math.min(BLOCK, features.columns() - first);
            float[] block = Products.zeros(rows.count(), width);
            for (int local = 0; local < positions.length; local++) {
                int at = rows.ofLocal(local) * width;
                if (features instanceof DenseFeatures dense) {
                    dense.copyRow(local, whole.clear());
                    System.arraycopy(whole.array(), first, block, at, width);
                } else if (features instanceof SparseFeatures sparse) {
                    long end = sparse.begin(local + 1);
                    long position = positions[local];
                    for (; position < end && sparse.column(position) < first + width; position++) {
                        block[at + sparse.column(position) - first] = sparse.value(position);
                    }
                    positions[local] = position;
                }
            }
            builder.add(first, width, change.apply(first / BLOCK, block, width));
        }
        return builder.build();
    }
}
