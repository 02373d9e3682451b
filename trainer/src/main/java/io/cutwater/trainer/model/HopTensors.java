package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import io.cutwater.state.PublicApi;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.torch.Edges;
import io.cutwater.trainer.torch.Floats;
import io.cutwater.trainer.torch.Tensors;
import java.util.Arrays;

/**
 * Aggregation over the neighbours of a hop's targets, as products with sparse matrices, whose gradients are products
 * with their transposes. Multiply features with weights before aggregating: the rows are then shorter.
 */
@PublicApi
public final class HopTensors {
    private final Tensors tensors;
    private final Hop hop;

    HopTensors(Tensors tensors, Hop hop) {
        this.tensors = tensors;
        this.hop = hop;
    }

    public int targetCount() {
        return hop.targetCount();
    }

    public int sourceCount() {
        return hop.sourceCount();
    }

    /**
     * Returns the number of edges including a self-loop of each target. Edges are ordered by target, each target's
     * self-loop first.
     */
    public int edgeCountWithSelf() {
        return Edges.countWithSelf(hop);
    }

    /** Returns a number as an array without dimensions, whose memory lasts until the gradients are computed. */
    public NDArray number(float value) {
        return tensors.floats(new float[] {value}, new Shape());
    }

    /** Returns the rows of the targets, from one row per source. */
    public NDArray ofTargets(NDArray sources) {
        return hop.targetCount() == hop.sourceCount()
                ? sources
                : sources.get(new NDIndex().addSliceDim(0, hop.targetCount()));
    }

    /** Returns the mean over the neighbours of each target, from one row per source; zeros if there are none. */
    public NDArray meanOfNeighbours(NDArray sources) {
        return tensors.matrix(hop, "mean of neighbours", isKept -> matrix(Edges.meanOfNeighbours(hop), isKept))
                .matMul(sources);
    }

    private NDArray matrix(Edges edges, boolean isKept) {
        return tensors.sparse(
                edges.targetCount(), edges.sourceCount(), edges.offsets(), edges.sources(), edges.weights(), isKept);
    }

    /** Returns the mean over each target and its neighbours. */
    public NDArray meanWithSelf(NDArray sources) {
        return tensors.matrix(hop, "mean with self", isKept -> matrix(Edges.meanWithSelf(hop), isKept))
                .matMul(sources);
    }

    /**
     * Returns, for each target v, the sum over v and its neighbours u of x_u / √((d_v + 1)(d_u + 1)) (Kipf and Welling
     * 2017, equation 2, with self-loops added). For a source, d is its degree in the whole graph; for a target, the
     * number of its neighbours in the shard, which are all of them if the shard owns it with all edges, and otherwise
     * those that the shard knows. If the hop has a sample of s neighbours, each counts d_v / s times.
     */
    public NDArray normalisedSum(NDArray sources) {
        return tensors.matrix(hop, "normalised sum", isKept -> matrix(Edges.normalisedSum(hop), isKept))
                .matMul(sources);
    }

    /** Returns the matrix that maps rows of sources to rows of edges, self-loops included. */
    public NDArray sourceOfEdges() {
        return tensors.matrix(hop, "source of edges", isKept -> {
            int[] offsets = new int[edgeCountWithSelf() + 1];
            Arrays.setAll(offsets, i -> i);
            return tensors.sparse(
                    edgeCountWithSelf(),
                    hop.sourceCount(),
                    offsets,
                    Edges.sourcesWithSelf(hop),
                    ones(edgeCountWithSelf()),
                    isKept);
        });
    }

    /** Returns the matrix that maps rows of targets to rows of edges, self-loops included. */
    public NDArray targetOfEdges() {
        return tensors.matrix(hop, "target of edges", isKept -> {
            int[] offsets = new int[edgeCountWithSelf() + 1];
            Arrays.setAll(offsets, i -> i);
            int[] targets = new int[edgeCountWithSelf()];
            for (int target = 0; target < hop.targetCount(); target++) {
                Arrays.fill(targets, hop.offsets()[target] + target, hop.offsets()[target + 1] + target + 1, target);
            }
            return tensors.sparse(
                    edgeCountWithSelf(), hop.targetCount(), offsets, targets, ones(edgeCountWithSelf()), isKept);
        });
    }

    /** Returns the matrix that sums rows of edges per target, self-loops included. */
    public NDArray sumOfEdges() {
        return tensors.matrix(hop, "sum of edges", isKept -> {
            int[] edges = new int[edgeCountWithSelf()];
            Arrays.setAll(edges, i -> i);
            return tensors.sparse(
                    hop.targetCount(),
                    edgeCountWithSelf(),
                    Edges.offsetsWithSelf(hop),
                    edges,
                    ones(edgeCountWithSelf()),
                    isKept);
        });
    }

    /**
     * Returns the maximum over each target and its neighbours, by column, without gradient. DJL has no grouped maximum,
     * so it is computed in Java, also for a GPU.
     */
    public NDArray maxWithSelf(NDArray sources) {
        int columns = Math.toIntExact(sources.getShape().get(1));
        float[] values = Floats.of(sources);
        float[] largest = Arrays.copyOf(values, hop.targetCount() * columns);
        for (int target = 0; target < hop.targetCount(); target++) {
            for (int i = hop.offsets()[target]; i < hop.offsets()[target + 1]; i++) {
                for (int column = 0; column < columns; column++) {
                    int at = target * columns + column;
                    largest[at] = Math.max(largest[at], values[hop.sources()[i] * columns + column]);
                }
            }
        }
        return tensors.floats(largest, new Shape(hop.targetCount(), columns));
    }

    private static float[] ones(int count) {
        float[] ones = new float[count];
        Arrays.fill(ones, 1);
        return ones;
    }
}
