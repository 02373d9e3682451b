package io.cutwater.deploy.bench.speed;

import io.cutwater.format.VertexSplit;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.feature.VertexIds;
import io.cutwater.trainer.feature.VertexRowSource;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A graph with dense features and classes, in memory: the same in each run. Six of ten vertices are for training. The
 * edges have no self-loops.
 */
final class GeneratedGraph implements VertexRowSource, ShardInput {
    private static final int SIGNAL = 2;

    private final int vertices;
    private final int columns;
    private final int classes;
    private final EdgeBatch edges;
    private final int[] degrees;

    private GeneratedGraph(int vertices, int columns, int classes, EdgeBatch edges) {
        this.vertices = vertices;
        this.columns = columns;
        this.classes = classes;
        this.edges = edges;
        degrees = new int[vertices];
        for (int i = 0; i < edges.size(); i++) {
            degrees[(int) edges.source(i)]++;
            degrees[(int) edges.target(i)]++;
        }
    }

    /**
     * Generates a graph.
     *
     * @param name {@code rmat:SCALE:EDGES:COLUMNS}; or {@code computers:SHARE}, with as many vertices, edges, features
     *     and classes as amazon-computers at a share of 1, and of vertices and edges that share
     * @throws IllegalArgumentException if there is no such graph; the message is meant for users
     */
    static GeneratedGraph of(String name) {
        String[] parts = name.split(":", -1);
        try {
            if (parts[0].equals("rmat") && parts.length == 4) {
                return rmat(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
            }
            if (parts[0].equals("computers") && parts.length == 2) {
                double share = Double.parseDouble(parts[1]);
                return communities((int) (13_752 * share), (int) (245_861 * share), 767, 10);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a graph is rmat:SCALE:EDGES:COLUMNS or computers:SHARE: '%s'".formatted(name), e);
        }
        throw new IllegalArgumentException(
                "a graph is rmat:SCALE:EDGES:COLUMNS or computers:SHARE: '%s'".formatted(name));
    }

    private static GeneratedGraph rmat(int scale, int count, int columns) {
        SyntheticGraph generator = SyntheticGraph.rmat(scale, Algorithms.DEFAULT_SEED);
        EdgeBatch drawn = new EdgeBatch();
        generator.fill(drawn, count);
        EdgeBatch edges = new EdgeBatch();
        for (int i = 0; i < drawn.size(); i++) {
            if (drawn.source(i) != drawn.target(i)) {
                edges.add(drawn.source(i), drawn.target(i));
            }
        }
        return new GeneratedGraph(1 << scale, columns, 16, edges);
    }

    /** Three of four edges have both ends in one class; degrees vary as squares of uniform numbers. */
    private static GeneratedGraph communities(int vertices, int count, int columns, int classes) {
        SplittableRandom random = new SplittableRandom(Algorithms.DEFAULT_SEED);
        EdgeBatch edges = new EdgeBatch();
        while (edges.size() < count) {
            int source = skewed(random, vertices);
            int target = skewed(random, vertices);
            if (random.nextInt(4) > 0) {
                target += Math.floorMod(source - target, classes); // of the same class
            }
            if (source != target && target < vertices) {
                edges.add(source, target);
            }
        }
        return new GeneratedGraph(vertices, columns, classes, edges);
    }

    private static int skewed(SplittableRandom random, int bound) {
        double uniform = random.nextDouble();
        return (int) (uniform * uniform * bound);
    }

    int vertexCount() {
        return vertices;
    }

    int edgeCount() {
        return edges.size();
    }

    /** @param folder without files of another store */
    ShardStore store(Path folder) throws IOException {
        return ShardBuilder.build(0, this, VertexData.of(this, FeatureScaling.NONE, ShapeOptions.FOUND), folder);
    }

    int classes() {
        return classes;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void readAll(RowConsumer consumer) throws IOException {
        SplittableRandom random = new SplittableRandom(Algorithms.DEFAULT_SEED + 1);
        float[] row = new float[columns];
        for (int vertex = 0; vertex < vertices; vertex++) {
            int label = vertex % classes;
            for (int column = 0; column < columns; column++) {
                row[column] = (float) (random.nextDouble() - 0.5 + (column % classes == label ? SIGNAL / 10.0 : 0));
            }
            VertexSplit split = vertex % 10 < 6 ? VertexSplit.TRAIN : VertexSplit.TEST;
            consumer.accept(vertex, row, label, split);
        }
    }

    @Override
    public void readShard(int shard, RowConsumer consumer) throws IOException {
        readAll(consumer);
    }

    @Override
    public VertexIds alone() {
        return VertexIds.firstOf(vertices);
    }

    @Override
    public void readVertices(VertexConsumer consumer) throws IOException {
        for (int vertex = 0; vertex < vertices; vertex++) {
            consumer.accept(vertex, true, degrees[vertex]);
        }
    }

    @Override
    public void readEdges(EdgeConsumer consumer) throws IOException {
        consumer.accept(edges);
    }
}
