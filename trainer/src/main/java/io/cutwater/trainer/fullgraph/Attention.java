package io.cutwater.trainer.fullgraph;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.exchange.ShardRows;

/**
 * One attention layer of a shard in an epoch (Veličković et al. 2018, equations 1 to 6): each vertex attends to its
 * neighbours and to itself. All of these have rows here. A shard of vertices has all edges of its own vertices. A shard
 * of edges has some edges of each, and then the result is a part: for each head the mean of the rows, weighted by the
 * softmax over the edges here, and the logarithm of the sum of the softmax. Parts of a vertex with means x and
 * logarithms l add up to Σ e^l x / Σ e^l (as Milakov and Gimelshein 2018 do in blocks), so one exchange is enough.
 */
final class Attention {
    private static final float SLOPE = 0.2f;
    /** The logarithm of a part without edges, which counts e^-100 of an edge with score 0. */
    private static final float NOTHING = -100;

    private final ShardRows rows;
    private final NeighbourSums graph;
    private final int heads;
    private final int width;
    private final int attending;
    private final float[] projected; // one row for each row of the shard
    private final float[] ofSources;
    private final float[] ofTargets;
    private final float[] bySource; // scores by row and head
    private final float[] byTarget;
    private final float[]
            shares; // by edge and head, of the edges here; each own vertex has itself behind its neighbours
    private final float[] logarithms; // by attending row and head, of the edges here
    private float[] outputs = {}; // of own rows
    private float[] logarithmsOfAll = {}; // by own row and head
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
        attending = graph.summed();
        byTarget = scores(attending, ofTargets);
        shares = Products.zeros(Math.addExact(graph.edgesOf(attending), rows.ownCount()), heads);
        logarithms = new float[attending * heads];
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

    /** Returns the row that a row attends to: one of its neighbours, or itself behind them. */
    private int source(int row, int edge) {
        return edge == graph.degree(row) ? row : graph.neighbour(row, edge);
    }

    private int count(int row) {
        return graph.degree(row) + (row < rows.ownCount() ? 1 : 0);
    }

    /** Returns the position of a row's first share. */
    private int begin(int row) {
        return (graph.edgesOf(row) + Math.min(row, rows.ownCount())) * heads;
    }

    private float leaky(float score) {
        return score > 0 ? score : SLOPE * score;
    }

    /** Returns 0 or the factor of a share that dropout keeps, the same on all shards. */
    private float factor(int vertex, int source, int head) {
        return dropout.factor(dropout.row(Hashing.mix64(rows.vertex(vertex), rows.vertex(source))), head);
    }

    /** Returns the values of a row that {@link #parts} has. */
    static int partColumns(int heads, int columns) {
        return columns + heads;
    }

    /** Returns for each attending row, and in it for each head, the mean over the edges here and its logarithm. */
    float[] parts(boolean isTraining) {
        float[] parts = Products.zeros(attending, heads * (width + 1));
        for (int row = 0; row < attending; row++) {
            int count = count(row);
            for (int head = 0; head < heads; head++) {
                int at = (row * heads + head) * (width + 1);
                share(row, head, count);
                for (int edge = 0; edge < count; edge++) {
                    int source = source(row, edge);
                    float share = shares[begin(row) + edge * heads + head];
                    Products.addScaled(
                            isTraining ? share * factor(row, source, head) : share,
                            projected,
                            (source * heads + head) * width,
                            parts,
                            at,
                            width);
                }
                parts[at + width] = logarithms[row * heads + head];
            }
        }
        return parts;
    }

    /** Adds another shard's part of a vertex to the one here. */
    void add(float[] parts, int row, float[] others, int at) {
        for (int head = 0; head < heads; head++) {
            int here = (row * heads + head) * (width + 1);
            int there = at + head * (width + 1);
            double largest = Math.max(parts[here + width], others[there + width]);
            double ofHere = Math.exp(parts[here + width] - largest);
            double ofThere = Math.exp(others[there + width] - largest);
            double total = ofHere + ofThere;
            for (int i = 0; i < width; i++) {
                parts[here + i] = (float) ((ofHere * parts[here + i] + ofThere * others[there + i]) / total);
            }
            parts[here + width] = (float) (largest + Math.log(total));
        }
    }

    /** Returns the outputs of the own vertices, without bias, from the parts of all shards. */
    float[] outputs(float[] parts) {
        outputs = new float[rows.ownCount() * heads * width];
        logarithmsOfAll = new float[rows.ownCount() * heads];
        for (int i = 0; i < logarithmsOfAll.length; i++) {
            System.arraycopy(parts, i * (width + 1), outputs, i * width, width);
            logarithmsOfAll[i] = parts[i * (width + 1) + width];
        }
        return outputs.clone();
    }

    /** Computes the shares of a row: the softmax of the scores of its edges here. */
    private void share(int row, int head, int count) {
        int begin = begin(row) + head;
        float largest = Float.NEGATIVE_INFINITY;
        for (int edge = 0; edge < count; edge++) {
            float score = leaky(bySource[source(row, edge) * heads + head] + byTarget[row * heads + head]);
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
        logarithms[row * heads + head] = count == 0 ? NOTHING : (float) (largest + Math.log(total));
    }

    /** Returns the values of a row that {@link #ofOutputs} has. */
    static int gradientColumns(int heads, int columns) {
        return columns + 2 * heads;
    }

    /**
     * Returns for each row, and in it for each head, what its edges need: the gradient of the output, the logarithm of
     * the sum of the whole softmax, and the product of output and gradient. Rows of other owners have zeros.
     */
    float[] ofOutputs(float[] gradients) {
        float[] needed = Products.zeros(rows.count(), heads * (width + 2));
        for (int i = 0; i < logarithmsOfAll.length; i++) {
            int at = i * (width + 2);
            double product = 0;
            for (int column = 0; column < width; column++) {
                needed[at + column] = gradients[i * width + column];
                product += (double) gradients[i * width + column] * outputs[i * width + column];
            }
            needed[at + width] = logarithmsOfAll[i];
            needed[at + width + 1] = (float) product;
        }
        return needed;
    }

    /**
     * Returns the gradients of the projected rows, those of copies included, by the edges here.
     *
     * @param ofOutputs see {@link #ofOutputs}, of all attending rows
     * @param gradientOfSources receives the gradient of the attention to neighbours
     * @param gradientOfTargets receives the gradient of the attention of vertices
     */
    float[] gradients(float[] ofOutputs, float[] gradientOfSources, float[] gradientOfTargets) {
        float[] gradients = Products.zeros(rows.count(), heads * width);
        float[] sources = new float[bySource.length];
        float[] targets = new float[byTarget.length];
        for (int row = 0; row < attending; row++) {
            for (int head = 0; head < heads; head++) {
                addGradients(row, head, ofOutputs, gradients, sources, targets);
            }
        }
        addScores(sources, ofSources, gradients, gradientOfSources);
        addScores(targets, ofTargets, gradients, gradientOfTargets);
        return gradients;
    }

    private void addGradients(
            int row, int head, float[] ofOutputs, float[] gradients, float[] sources, float[] targets) {
        int count = count(row);
        int begin = begin(row) + head;
        int output = (row * heads + head) * (width + 2);
        float mean = ofOutputs[output + width + 1];
        float here = (float) Math.exp(logarithms[row * heads + head] - ofOutputs[output + width]); // 1 if all are here
        for (int edge = 0; edge < count; edge++) {
            int source = source(row, edge);
            int from = (source * heads + head) * width;
            float share = here * shares[begin + edge * heads];
            float factor = factor(row, source, head);
            float sum = 0;
            for (int column = 0; column < width; column++) {
                sum += projected[from + column] * ofOutputs[output + column];
            }
            Products.addScaled(share * factor, ofOutputs, output, gradients, from, width);
            boolean isPositive = bySource[source * heads + head] + byTarget[row * heads + head] > 0;
            float gradient = share * (factor * sum - mean) * (isPositive ? 1 : SLOPE);
            sources[source * heads + head] += gradient;
            targets[row * heads + head] += gradient;
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
