package io.cutwater.deploy.demo;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import java.util.SplittableRandom;

/**
 * The graph of the demo: {@link SyntheticGraph#growingCommunities} with classes and features, all a pure function of
 * the seed. A class is a group of communities. A vertex has the features of its class under so much noise that most
 * vertices cannot be classified by their own features; the mean over the neighbours, most of which are of the same
 * class, can.
 */
final class LabelledGraph {
    static final int COMMUNITIES = 120;
    static final int CLASSES = 12;
    static final int FEATURES = 16;

    /**
     * Length of a class's features; the noise has deviation 1 in each: 4 of 10 vertices can be classified by their own.
     */
    private static final double SIGNAL = 1.2;

    private static final double TRAIN = 0.1;
    private static final double VALIDATION = 0.1;

    private final long seed;
    private final SyntheticGraph edges;
    private final float[][] ofClass = new float[CLASSES][FEATURES];

    LabelledGraph(long seed) {
        this.seed = seed;
        edges = SyntheticGraph.growingCommunities(COMMUNITIES, seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (float[] features : ofClass) {
            double squares = 0;
            for (int i = 0; i < FEATURES; i++) {
                features[i] = (float) random.nextGaussian();
                squares += features[i] * features[i];
            }
            for (int i = 0; i < FEATURES; i++) {
                features[i] *= (float) (SIGNAL / Math.sqrt(squares));
            }
        }
    }

    /** Appends the next edges to a batch. */
    void fill(EdgeBatch batch, int count) {
        edges.fill(batch, count);
    }

    /** Returns the class of a vertex, 0 to {@link #CLASSES} − 1. */
    int label(long vertex) {
        return (int) (vertex % COMMUNITIES % CLASSES);
    }

    /** Returns the features of a class without noise. */
    float[] featuresOfClass(int label) {
        return ofClass[label].clone();
    }

    /**
     * Writes the features of a vertex.
     *
     * @param into of length {@link #FEATURES}
     */
    void features(long vertex, float[] into) {
        SplittableRandom noise = random(vertex, 1);
        float[] expected = ofClass[label(vertex)];
        for (int i = 0; i < FEATURES; i++) {
            into[i] = (float) (expected[i] + noise.nextGaussian());
        }
    }

    /** One vertex in ten is for training, one for validation, the others are for testing. */
    VertexSplit split(long vertex) {
        double drawn = random(vertex, 2).nextDouble();
        if (drawn < TRAIN) {
            return VertexSplit.TRAIN;
        }
        return drawn < TRAIN + VALIDATION ? VertexSplit.VAL : VertexSplit.TEST;
    }

    private SplittableRandom random(long vertex, int purpose) {
        return new SplittableRandom(Hashing.mix64(seed + purpose, vertex));
    }
}
