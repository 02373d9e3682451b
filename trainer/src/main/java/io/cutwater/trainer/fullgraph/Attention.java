package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.exchange.ShardRows;

/**
 * One attention layer of a shard in an epoch (Veličković et al. 2018, equations 1 to 6): each own vertex attends to its
 * neighbours and to itself. All of these have rows here, because a shard of vertices has a copy of each neighbour.
 */
final class Attention {
    private static final float SLOPE = 0.2f;

    private final ShardRows rows;
    private final NeighbourSums graph;
    private final int heads;
    private final int width;
    private final float[] projected; // one row for each row of the shard
    private final float[] ofSources;
    private final float[] ofTargets;
    private final float[] bySource; // scores by row and head
    private final float[] byTarget;
    private final float[] shares; // by edge and head; each own vertex has itself behind its neighbours
    private final CounterDropout dropout;

    /**
     * Creates a layer.
     *
     * @param projected one row for each row of the shard
     * @param ofSources attention to a neighbour, by head and column
     * @param ofTargets attention of a vertex, by head and column
     * @param dropout draws for shares
     */
    Attention(
            ShardRows rows,
            NeighbourSums graph,
            int heads,
            float[] projected,
            float[] ofSources,
            float[] ofTargets,
            CounterDropout dropout) {
        this.rows = rows;
        this.graph = graph;
        this.heads = heads;
        this.projected = projected;
        this.ofSources = ofSources;
        this.ofTargets = ofTargets;
        this.dropout = dropout;
        width = ofSources.length / heads;
        bySource = scores(rows.count(), ofSources);
        byTarget = scores(rows.ownCount(), ofTargets);
        shares = Products.zeros(Math.addExact(graph.edgesOf(rows.ownCount()), rows.ownCount()), heads);
    }

    private float[] scores(int count, float[] attention) {
        float[] scores = Products.zeros(count, heads);
        for (int i = 0; i < scores.length; i++) {
            float sum = 0;
            int at = i * width;
            int head = i % heads * width;
            for (int column = 0; column < width; column++) {
                sum += projected[at + column] * attention[head + column];
            }
            scores[i] = sum;
        }
        return scores;
    }

    /** Returns the row that an own vertex attends to: one of its neighbours, or itself behind them. */
    private int source(int vertex, int edge, int count) {
        return edge == count - 1 ? vertex : graph.neighbour(vertex, edge);
    }

    private int count(int vertex) {
        return graph.degree(vertex) + 1;
    }

    /** Returns the position of an own vertex's first share. */
    private int begin(int vertex) {
        return (graph.edgesOf(vertex) + vertex) * heads;
    }

    private float leaky(float score) {
        return score > 0 ? score : SLOPE * score;
    }

    /** Returns 0 or the factor of a share that dropout keeps, the same on all shards. */
    private float factor(int vertex, int source, int head) {
        return dropout.factor(dropout.row(Hashing.mix64(rows.vertex(vertex), rows.vertex(source))), head);
    }

    /** Returns the outputs of the own vertices, without bias. */
    float[] outputs(boolean isTraining) {
        float[] outputs = Products.zeros(rows.ownCount(), heads * width);
        for (int vertex = 0; vertex < rows.ownCount(); vertex++) {
            int count = count(vertex);
            for (int head = 0; head < heads; head++) {
                share(vertex, head, count);
                for (int edge = 0; edge < count; edge++) {
                    int source = source(vertex, edge, count);
                    float share = shares[begin(vertex) + edge * heads + head];
                    Products.addScaled(
                            isTraining ? share * factor(vertex, source, head) : share,
                            projected,
                            (source * heads + head) * width,
                            outputs,
                            (vertex * heads + head) * width,
                            width);
                }
            }
        }
        return outputs;
    }

    /** Computes the shares of a vertex: the softmax of the scores of its edges. */
    private void share(int vertex, int head, int count) {
        int begin = begin(vertex) + head;
        float largest = Float.NEGATIVE_INFINITY;
        for (int edge = 0; edge < count; edge++) {
            float score = leaky(bySource[source(vertex, edge, count) * heads + head] + byTarget[vertex * heads + head]);
            shares[begin + edge * heads] = score;
            largest = Math.max(largest, score);
        }
        double total = 0;
        for (int edge = 0; edge < count; edge++) {
            double part = Math.exp(shares[begin + edge * heads] - largest);
            shares[begin + edge * heads] = (float) part;
            total += part;
        }
        for (int edge = 0; edge < count; edge++) {
            shares[begin + edge * heads] = (float) (shares[begin + edge * heads] / total);
        }
    }

    /**
     * Returns the gradients of the projected rows, those of copies included.
     *
     * @param ofOutputs gradients of the outputs
     * @param gradientOfSources receives the gradient of the attention to neighbours
     * @param gradientOfTargets receives the gradient of the attention of vertices
     */
    float[] gradients(float[] ofOutputs, float[] gradientOfSources, float[] gradientOfTargets) {
        float[] gradients = Products.zeros(rows.count(), heads * width);
        float[] sources = new float[bySource.length];
        float[] targets = new float[byTarget.length];
        float[] ofShares = new float[16];
        for (int vertex = 0; vertex < rows.ownCount(); vertex++) {
            int count = count(vertex);
            ofShares = ofShares.length < count ? new float[2 * count] : ofShares;
            for (int head = 0; head < heads; head++) {
                addGradients(vertex, head, ofOutputs, ofShares, gradients, sources, targets);
            }
        }
        addScores(sources, ofSources, gradients, gradientOfSources);
        addScores(targets, ofTargets, gradients, gradientOfTargets);
        return gradients;
    }

    private void addGradients(
            int vertex,
            int head,
            float[] ofOutputs,
            float[] ofShares,
            float[] gradients,
            float[] sources,
            float[] targets) {
        int count = count(vertex);
        int begin = begin(vertex) + head;
        int output = (vertex * heads + head) * width;
        double mean = 0;
        for (int edge = 0; edge < count; edge++) {
            int source = source(vertex, edge, count);
            int row = (source * heads + head) * width;
            float share = shares[begin + edge * heads];
            float factor = factor(vertex, source, head);
            float sum = 0;
            for (int column = 0; column < width; column++) {
                sum += projected[row + column] * ofOutputs[output + column];
            }
            ofShares[edge] = factor * sum;
            mean += (double) share * ofShares[edge];
            Products.addScaled(share * factor, ofOutputs, output, gradients, row, width);
        }
        for (int edge = 0; edge < count; edge++) {
            int source = source(vertex, edge, count) * heads + head;
            boolean isPositive = bySource[source] + byTarget[vertex * heads + head] > 0;
            float gradient =
                    (float) (shares[begin + edge * heads] * (ofShares[edge] - mean)) * (isPositive ? 1 : SLOPE);
            sources[source] += gradient;
            targets[vertex * heads + head] += gradient;
        }
    }

    private void addScores(float[] ofScores, float[] attention, float[] gradients, float[] ofAttention) {
        for (int i = 0; i < ofScores.length; i++) {
            if (ofScores[i] != 0) {
                int head = i % heads * width;
                Products.addScaled(ofScores[i], projected, i * width, ofAttention, head, width);
                Products.addScaled(ofScores[i], attention, head, gradients, i * width, width);
            }
        }
    }
}
