package io.cutwater.trainer.shard;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

/** Builds a {@link ShardStore}. The edges are read twice, to count and to place them, and never held in memory. */
public final class ShardBuilder {
    private final int shard;
    private final Path folder;
    private final ShardInput input;
    private long[] vertices = new long[1024];
    private int[] degrees = new int[1024];
    private int count;
    private int ownedCount;
    private int[] classes = {};
    private VertexSplit[] splits = {};

    private ShardBuilder(int shard, ShardInput input, Path folder) {
        this.shard = shard;
        this.input = input;
        this.folder = folder;
    }

    /**
     * Builds a shard.
     *
     * @param folder folder for mapped files: created if missing, without files of another store
     * @throws IOException if a vertex has no features, or an endpoint of an edge is not a vertex of the shard; the
     *     message is meant for users
     */
    public static ShardStore build(int shard, ShardInput input, VertexData data, Path folder) throws IOException {
        return build(shard, input, data, folder, (count, example) -> refuse(shard, count, example));
    }

    /** @throws IOException always; the message names the missing features */
    public static void refuse(int shard, int count, long example) throws IOException {
        throw new IOException(
                "shard %d has %d vertices without features, such as vertex %d; give a row for each vertex of this graph, or use --allow-missing-features for zeros"
                        .formatted(shard, count, example));
    }

    /**
     * Builds a shard whose vertices may lack features if the options allow it: these are 0, and the vertices have no
     * class.
     */
    static ShardStore build(int shard, ShardInput input, VertexData data, Path folder, ShapeOptions shape)
            throws IOException {
        return shape.allowsMissingFeatures()
                ? build(shard, input, data, folder, (count, example) -> {})
                : build(shard, input, data, folder);
    }

    /** Receives the vertices of a shard that lack features. */
    public interface UnknownVertices {
        /**
         * @param count at least 1
         * @param example one of the vertices
         */
        void accept(int count, long example) throws IOException;
    }

    /**
     * Builds a shard whose vertices may lack features: unless the callback throws, these are 0 and the vertices have no
     * class.
     */
    public static ShardStore build(int shard, ShardInput input, VertexData data, Path folder, UnknownVertices unknown)
            throws IOException {
        Files.createDirectories(folder);
        return new ShardBuilder(shard, input, folder).build(data, unknown);
    }

    private ShardStore build(VertexData data, UnknownVertices unknown) throws IOException {
        readVertices(true);
        ownedCount = count;
        readVertices(false);
        vertices = Arrays.copyOf(vertices, count);
        degrees = Arrays.copyOf(degrees, count);
        MappedLongs offsets = countNeighbours();
        MappedInts neighbours = placeNeighbours(offsets);
        classes = new int[count];
        Arrays.fill(classes, -1);
        splits = new VertexSplit[count];
        Arrays.fill(splits, VertexSplit.NONE);
        BitSet known = new BitSet(count);
        Features rows = data.isSparse() ? readSparse(data, known) : readDense(data, known);
        if (known.cardinality() < count) {
            unknown.accept(count - known.cardinality(), vertices[known.nextClearBit(0)]);
        }
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

    private Features readDense(VertexData data, BitSet known) throws IOException {
        DenseFeatures features = DenseFeatures.create(folder.resolve("features"), count, data.columns());
        readRows(data, known, features::putRows);
        return features;
    }

    private Features readSparse(VertexData data, BitSet known) throws IOException {
        int[] sizes = new int[count];
        readRows(data, known, (local, row) -> {
            sizes[local] = 0;
            for (float value : row) {
                sizes[local] += value == 0 ? 0 : 1;
            }
        });
        SparseFeatures features = SparseFeatures.create(folder, sizes, data.columns());
        readRows(data, known, features::putRow);
        return features;
    }

    private interface LocalRows {
        void take(int local, float[] features);
    }

    private void readRows(VertexData data, BitSet known, LocalRows consumer) throws IOException {
        data.read(shard, (vertex, features, label, split) -> {
            int local = find(vertex);
            if (local >= 0) {
                known.set(local);
                consumer.take(local, features);
                if (local < ownedCount && label >= 0) { // unlabelled vertices are neither trained on nor tested
                    classes[local] = label;
                    splits[local] = split;
                }
            }
        });
    }

    private int local(long vertex) throws IOException {
        int local = find(vertex);
        if (local < 0) {
            throw new IOException(
                    "shard %d has an edge of vertex %d, which is not among its vertices; give a row of features for each vertex, or partition the graph again"
                            .formatted(shard, vertex));
        }
        return local;
    }

    private int find(long vertex) {
        int local = Arrays.binarySearch(vertices, 0, ownedCount, vertex);
        return local >= 0 ? local : Arrays.binarySearch(vertices, ownedCount, count, vertex);
    }
}
