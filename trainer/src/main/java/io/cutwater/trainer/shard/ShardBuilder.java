package io.cutwater.trainer.shard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Makes a {@link ShardStore} of what is read; the edges are read twice, to count and to place, and never held. */
public final class ShardBuilder {
    private final int shard;
    private final Path folder;
    private final ShardInput input;
    private long[] vertices = new long[1024];
    private int[] degrees = new int[1024];
    private int count;
    private int ownedCount;

    private ShardBuilder(int shard, ShardInput input, Path folder) {
        this.shard = shard;
        this.input = input;
        this.folder = folder;
    }

    /**
     * Reads a shard.
     *
     * @param folder where the mapped files go: made if missing, and without files of another store
     * @throws IOException with a sentence, if a vertex has no features, or an edge's end is no vertex of the shard
     */
    public static ShardStore build(int shard, ShardInput input, FeatureFile features, VertexLabels labels, Path folder)
            throws IOException {
        Files.createDirectories(folder);
        return new ShardBuilder(shard, input, folder).build(features, labels);
    }

    private ShardStore build(FeatureFile features, VertexLabels labels) throws IOException {
        readVertices(true);
        ownedCount = count;
        readVertices(false);
        vertices = Arrays.copyOf(vertices, count);
        degrees = Arrays.copyOf(degrees, count);
        MappedLongs offsets = countNeighbours();
        MappedInts neighbours = placeNeighbours(offsets);
        int[] classes = new int[count];
        Arrays.fill(classes, ownedCount, count, -1);
        Split[] splits = new Split[count];
        Arrays.fill(splits, Split.NONE);
        for (int local = 0; local < ownedCount; local++) {
            classes[local] = labels.label(vertices[local]);
            splits[local] = labels.split(vertices[local]);
        }
        Features rows = readFeatures(features);
        return new ShardStore(shard, ownedCount, vertices, degrees, offsets, neighbours, rows, classes, splits);
    }

    private void readVertices(boolean owned) throws IOException {
        input.readVertices((vertex, isOwned, degree) -> {
            if (isOwned == owned) {
                if (count == vertices.length) {
                    int length = Math.addExact(count, count);
                    vertices = Arrays.copyOf(vertices, length);
                    degrees = Arrays.copyOf(degrees, length);
                }
                vertices[count] = vertex;
                degrees[count++] = (int) Math.min(degree, Integer.MAX_VALUE);
            }
        });
    }

    private MappedLongs countNeighbours() throws IOException {
        MappedLongs offsets = MappedLongs.create(folder.resolve("offsets"), count + 1L);
        input.readEdges(edges -> {
            for (int i = 0; i < edges.size(); i++) {
                int source = local(edges.source(i));
                int target = local(edges.target(i));
                if (source == target) {
                    degrees[source] = Math.max(0, degrees[source] - 2);
                } else {
                    offsets.put(source + 1L, offsets.get(source + 1L) + 1);
                    offsets.put(target + 1L, offsets.get(target + 1L) + 1);
                }
            }
        });
        for (int local = 0; local < count; local++) {
            long own = offsets.get(local + 1L);
            degrees[local] = (int) Math.min(Integer.MAX_VALUE, Math.max(degrees[local], own));
            offsets.put(local + 1L, offsets.get(local) + own);
        }
        return offsets;
    }

    private MappedInts placeNeighbours(MappedLongs offsets) throws IOException {
        MappedInts neighbours = MappedInts.create(folder.resolve("neighbours"), offsets.get(count));
        int[] placed = new int[count];
        input.readEdges(edges -> {
            for (int i = 0; i < edges.size(); i++) {
                int source = local(edges.source(i));
                int target = local(edges.target(i));
                if (source != target) {
                    neighbours.put(offsets.get(source) + placed[source]++, target);
                    neighbours.put(offsets.get(target) + placed[target]++, source);
                }
            }
        });
        return neighbours;
    }

    private Features readFeatures(FeatureFile file) throws IOException {
        for (int local = 0; local < count; local++) {
            if (vertices[local] < 0 || vertices[local] >= file.rows()) {
                throw new IOException(
                        "shard %d has vertex %d, but there are features for vertices 0 to %d only; give a line for each vertex"
                                .formatted(shard, vertices[local], file.rows() - 1));
            }
        }
        return file.isSparse() ? readSparse(file) : readDense(file);
    }

    private Features readDense(FeatureFile file) throws IOException {
        DenseFeatures features = DenseFeatures.create(folder.resolve("features"), count, file.columns());
        float[] numbers = new float[file.columns()];
        file.read((vertex, row) -> {
            int local = find(vertex);
            if (local >= 0) {
                file.expand(row, numbers);
                features.putRows(local, numbers);
            }
        });
        return features;
    }

    private Features readSparse(FeatureFile file) throws IOException {
        int[] sizes = new int[count];
        file.read((vertex, row) -> {
            int local = find(vertex);
            if (local >= 0) {
                sizes[local] = row.size();
            }
        });
        SparseFeatures features = SparseFeatures.create(folder, sizes, file.columns());
        file.read((vertex, row) -> {
            int local = find(vertex);
            if (local >= 0) {
                features.putRow(local, row);
            }
        });
        return features;
    }

    private int local(long vertex) throws IOException {
        int local = find(vertex);
        if (local < 0) {
            throw new IOException(
                    "shard %d has an edge of vertex %d, which is not among its vertices; partition the graph again"
                            .formatted(shard, vertex));
        }
        return local;
    }

    private int find(long vertex) {
        int local = Arrays.binarySearch(vertices, 0, ownedCount, vertex);
        return local >= 0 ? local : Arrays.binarySearch(vertices, ownedCount, count, vertex);
    }
}
