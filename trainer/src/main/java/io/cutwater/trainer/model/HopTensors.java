package io.cutwater.trainer.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import io.cutwater.state.PublicApi;
import io.cutwater.trainer.sampler.Hop;
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
        return hop.edgeCount() + hop.targetCount();
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
        return tensors.matrix(hop, "mean of neighbours", isKept -> {
                    float[] weights = new float[hop.edgeCount()];
                    for (int target = 0; target < hop.targetCount(); target++) {
                        Arrays.fill(weights, hop.offsets()[target], hop.offsets()[target + 1], 1f / hop.size(target));
                    }
                    return tensors.sparse(
                            hop.targetCount(), hop.sourceCount(), hop.offsets(), hop.sources(), weights, isKept);
                })
                .matMul(sources);
    }

    /** Returns the mean over each target and its neighbours. */
    public NDArray meanWithSelf(NDArray sources) {
        return tensors.matrix(hop, "mean with self", isKept -> withSelf(meanWeights(), isKept))
                .matMul(sources);
    }

    private float[] meanWeights() {
        float[] weights = new float[edgeCountWithSelf()];
        int at = 0;
        for (int target = 0; target < hop.targetCount(); target++) {
            int end = at + hop.size(target) + 1;
            Arrays.fill(weights, at, end, 1f / (hop.size(target) + 1));
            at = end;
        }
        return weights;
    }

    /**
     * Returns, for each target v, the sum over v and its neighbours u of x_u / √((d_v + 1)(d_u + 1)) (Kipf and Welling
     * 2017, equation 2, with self-loops added). For a source, d is its degree in the whole graph; for a target, the
     * number of its neighbours in the shard, which are all of them if the shard owns it with all edges, and otherwise
     * those that the shard knows. If the hop has a sample of s neighbours, each counts d_v / s times.
     */
    public NDArray normalisedSum(NDArray sources) {
        return tensors.matrix(hop, "normalised sum", isKept -> withSelf(normalisedWeights(), isKept))
                .matMul(sources);
    }

    private float[] normalisedWeights() {
        int[] degrees = hop.degrees();
        float[] weights = new float[edgeCountWithSelf()];
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
        return weights;
    }

    private NDArray withSelf(float[] weights, boolean isKept) {
        return tensors.sparse(
                hop.targetCount(), hop.sourceCount(), offsetsWithSelf(), sourcesWithSelf(), weights, isKept);
    }

    private int[] sourcesWithSelf() {
        int[] sources = new int[edgeCountWithSelf()];
        for (int target = 0; target < hop.targetCount(); target++) {
            int begin = hop.offsets()[target];
            sources[begin + target] = target;
            System.arraycopy(hop.sources(), begin, sources, begin + target + 1, hop.size(target));
        }
        return sources;
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
                    sourcesWithSelf(),
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
                    offsetsWithSelf(),
                    edges,
                    ones(edgeCountWithSelf()),
                    isKept);
        });
    }

    private int[] offsetsWithSelf() {
        int[] offsets = new int[hop.targetCount() + 1];
        for (int target = 0; target <= hop.targetCount(); target++) {
            offsets[target] = hop.offsets()[target] + target;
        }
        return offsets;
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
