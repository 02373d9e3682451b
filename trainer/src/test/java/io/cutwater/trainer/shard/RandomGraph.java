package io.cutwater.trainer.shard;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** A small random graph whose features correlate with the class, whole or partitioned by vertex. */
public final class RandomGraph {
    public final int vertices;
    public final int columns;
    public final int classes;
    public final List<long[]> edges = new ArrayList<>();
    public final float[][] features;
    public final int[] labels;
    public final VertexSplit[] splits;
    private final double density;

    /** Connects mostly vertices of the same class, so that neighbours help classification. */
    public RandomGraph(long seed, int vertices, int edgeCount, int columns, int classes, double density) {
        this.vertices = vertices;
        this.columns = columns;
        this.classes = classes;
        this.density = density;
        SplittableRandom random = new SplittableRandom(seed);
        features = new float[vertices][columns];
        labels = new int[vertices];
        splits = new VertexSplit[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            labels[vertex] = random.nextInt(classes);
            splits[vertex] = VertexSplit.values()[1 + random.nextInt(3)];
            for (int column = 0; column < columns; column++) {
                if (random.nextDouble() < density) {
                    features[vertex][column] = random.nextInt(1, 9) / 4f;
                }
            }
            features[vertex][labels[vertex] % columns] += random.nextInt(4);
        }
        while (edges.size() < edgeCount) {
            int source = random.nextInt(vertices);
            int target = random.nextInt(vertices);
            if (labels[source] == labels[target] || random.nextInt(12) == 0) {
                edges.add(new long[] {source, target});
            }
        }
    }

    /** The files of the graph, and the stores built from them, in a folder. */
    public ShardStore whole(Path folder) throws IOException {
        return shards(folder, 1)[0];
    }

    /**
     * Builds one store for each of k shards; vertex v is owned by shard v mod k, and edges are in the shards of both
     * owners.
     */
    public ShardStore[] shards(Path folder, int k) throws IOException {
        VertexData data = data(folder, FeatureScaling.NONE);
        ShardStore[] stores = new ShardStore[k];
        for (int shard = 0; shard < k; shard++) {
            stores[shard] =
                    ShardBuilder.build(shard, input(shard, k), data, folder.resolve("store-" + k + "-" + shard));
        }
        return stores;
    }

    public VertexData data(Path folder, FeatureScaling scaling) throws IOException {
        return VertexData.of(files(folder), scaling, ShapeOptions.FOUND);
    }

    /** Writes the files of vertex data. */
    public VertexFiles files(Path folder) throws IOException {
        StringBuilder featureText = new StringBuilder();
        StringBuilder classText = new StringBuilder();
        StringBuilder splitText = new StringBuilder();
        for (int vertex = 0; vertex < vertices; vertex++) {
            featureText.append(labels[vertex]);
            for (int column = 0; column < columns; column++) {
                if (features[vertex][column] != 0) {
                    featureText.append(' ').append(column + 1).append(':').append(features[vertex][column]);
                }
            }
            featureText.append('\n');
            classText.append(labels[vertex]).append('\n');
            splitText.append(splits[vertex].label()).append('\n');
        }
        return new VertexFiles(
                Files.writeString(folder.resolve("features.svm"), featureText),
                Files.writeString(folder.resolve("labels.txt"), classText),
                Files.writeString(folder.resolve("split.txt"), splitText));
    }

    public ShardInput input(int shard, int k) {
        List<long[]> own = edges.stream()
                .filter(edge -> edge[0] % k == shard || edge[1] % k == shard)
                .toList();
        TreeSet<Long> members = new TreeSet<>();
        for (long vertex = shard; vertex < vertices; vertex += k) {
            members.add(vertex);
        }
        own.forEach(edge -> {
            members.add(edge[0]);
            members.add(edge[1]);
        });
        return new ShardInput() {
            @Override
            public void readVertices(VertexConsumer consumer) throws IOException {
                for (long vertex : members) {
                    consumer.accept(vertex, vertex % k == shard, degree(vertex));
                }
            }

            @Override
            public void readEdges(EdgeConsumer consumer) throws IOException {
                EdgeBatch batch = new EdgeBatch();
                own.forEach(edge -> batch.add(edge[0], edge[1]));
                consumer.accept(batch);
            }
        };
    }

    private long degree(long vertex) {
        return edges.stream()
                .mapToLong(edge -> (edge[0] == vertex ? 1 : 0) + (edge[1] == vertex ? 1 : 0))
                .sum();
    }

    @Override
    public String toString() {
        return "%d vertices, density %s".formatted(vertices, density);
    }
}
