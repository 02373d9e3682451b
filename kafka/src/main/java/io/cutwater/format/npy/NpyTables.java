package io.cutwater.format.npy;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.ShardVertexFile;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRows;
import io.cutwater.format.table.VertexSort;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an output folder as little-endian NumPy arrays. A shard has
 *
 * <pre>
 *   edges.npy       int64 [2, m]    row 0 the sources, row 1 the targets
 *   weights.npy     float64 [m]     only if any edge of the run has a weight; NaN for none
 *   timestamps.npy  int64 [m]       only if any edge of the run has one; −2^63 for none
 *   keys.npy        int64 [m]       only if any edge of the run has one; −2^63 for none
 *   vertices.npy    int64 [n, 3]    vertex, role (0 master or owned, 1 mirror or halo), degree
 * </pre>
 *
 * and the folder has
 *
 * <pre>
 *   partition-book.npy  int64 [n, 3]   vertex, partition, number of replicas
 *   replicas.npy        int64 [r]      the partitions of the first vertex, then those of the second, …
 * </pre>
 */
public final class NpyTables implements ShardTables {
    private static final int COLUMNS = 3;

    @Override
    public void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException {
        String folder = OutputFiles.shard(shard);
        try (HashedFile file = out.create(folder + "edges.npy")) {
            file.write(NpyFile.header(NpyFile.INT64, 2, edges.edges()));
            for (int column = 0; column < 2; column++) {
                try (EdgeFrames frames = new EdgeFrames(edges.file())) {
                    while (frames.next()) {
                        file.write(frames.endColumn(column));
                    }
                }
            }
        }
        if (edges.hasWeights()) {
            try (HashedFile file = out.create(folder + "weights.npy")) {
                writeAttributes(file, NpyFile.FLOAT64, List.of(edges), EdgeFrames.WEIGHTS, true);
            }
        }
        if (edges.hasTimestamps()) {
            try (HashedFile file = out.create(folder + "timestamps.npy")) {
                writeAttributes(file, NpyFile.INT64, List.of(edges), EdgeFrames.TIMESTAMPS, true);
            }
        }
        if (edges.hasKeys()) {
            try (HashedFile file = out.create(folder + "keys.npy")) {
                writeAttributes(file, NpyFile.INT64, List.of(edges), EdgeFrames.KEYS, true);
            }
        }
    }

    /**
     * Writes one attribute of the edges of shards, one shard after the other.
     *
     * @param isEach whether all edges are written; otherwise only the first of two copies
     */
    public static void writeAttributes(
            HashedFile file, String type, List<StagedShard> shards, int attribute, boolean isEach) throws IOException {
        long count = shards.stream()
                .mapToLong(shard -> isEach ? shard.edges() : shard.firstEdges())
                .sum();
        file.write(NpyFile.header(type, count));
        ByteBuffer values = NpyFile.allocate(READ_EDGES);
        for (StagedShard shard : shards) {
            writeValues(file, values, shard, attribute, isEach);
        }
        file.write(values.flip());
    }

    private static void writeValues(
            HashedFile file, ByteBuffer values, StagedShard edges, int attribute, boolean isEach) throws IOException {
        try (EdgeFrames frames = new EdgeFrames(edges.file())) {
            while (frames.next()) {
                for (int i = 0; i < frames.size(); i++) {
                    if (!values.hasRemaining()) {
                        file.write(values.flip());
                        values.clear();
                    }
                    if (isEach || !frames.isSecond(edges.shard(), i)) {
                        values.putLong(
                                switch (attribute) {
                                    case EdgeFrames.WEIGHTS -> Double.doubleToLongBits(frames.weight(i));
                                    case EdgeFrames.TIMESTAMPS -> frames.timestamp(i);
                                    default -> frames.key(i);
                                });
                    }
                }
            }
        }
    }

    @Override
    public void writeVertices(OutputFiles out, int shard, ShardVertexFile vertices) throws IOException {
        try (HashedFile file = out.create(OutputFiles.shard(shard) + "vertices.npy")) {
            file.write(NpyFile.header(NpyFile.INT64, vertices.size(), COLUMNS));
            ByteBuffer row = NpyFile.allocate(COLUMNS);
            while (vertices.next()) {
                row.putLong(vertices.vertex()).putLong(vertices.isHome() ? 0 : 1);
                file.write(row.putLong(vertices.degree()).flip());
                row.clear();
            }
        }
    }

    @Override
    public BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException {
        HashedFile book = out.create("partition-book.npy");
        HashedFile replicas = out.create("replicas.npy");
        book.write(NpyFile.header(NpyFile.INT64, vertexCount, COLUMNS));
        replicas.write(NpyFile.header(NpyFile.INT64, replicaTotal));
        ByteBuffer bytes =
                ByteBuffer.allocate(VertexLayout.MAX_PARTITIONS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return new BookWriter() {
            @Override
            public void add(VertexSort sorted) throws IOException {
                ByteBuffer row = sorted.rows();
                int at = sorted.at();
                int replicaCount = VertexRows.replicaCount(row, at);
                bytes.clear().putLong(sorted.vertex()).putLong(VertexRows.master(row, at));
                book.write(bytes.putLong(replicaCount).flip());
                bytes.clear();
                for (int i = 0; i < replicaCount; i++) {
                    bytes.putLong(VertexRows.replica(row, at, i));
                }
                replicas.write(bytes.flip());
            }

            @Override
            public void close() throws IOException {
                try (book;
                        replicas) {}
            }
        };
    }

    @Override
    public void readEdges(Path root, int shard, EdgeConsumer consumer) throws IOException {
        Path folder = root.resolve(OutputFiles.shard(shard));
        try (NpyFile edges = new NpyFile(folder.resolve("edges.npy"), NpyFile.INT64);
                NpyFile weights = openIfThere(folder.resolve("weights.npy"), NpyFile.FLOAT64);
                NpyFile timestamps = openIfThere(folder.resolve("timestamps.npy"), NpyFile.INT64);
                NpyFile keys = openIfThere(folder.resolve("keys.npy"), NpyFile.INT64)) {
            int capacity = (int) Math.min(READ_EDGES, edges.columns());
            ByteBuffer sources = NpyFile.allocate(capacity);
            ByteBuffer targets = NpyFile.allocate(capacity);
            ByteBuffer weightBytes = NpyFile.allocate(weights == null ? 0 : capacity);
            ByteBuffer timestampBytes = NpyFile.allocate(timestamps == null ? 0 : capacity);
            ByteBuffer keyBytes = NpyFile.allocate(keys == null ? 0 : capacity);
            EdgeBatch batch = new EdgeBatch(Math.max(1, capacity));
            for (long from = 0; from < edges.columns(); from += READ_EDGES) {
                int count = (int) Math.min(READ_EDGES, edges.columns() - from);
                edges.read(from, count, sources);
                edges.read(edges.columns() + from, count, targets);
                if (weights != null) {
                    weights.read(from, count, weightBytes);
                }
                if (timestamps != null) {
                    timestamps.read(from, count, timestampBytes);
                }
                if (keys != null) {
                    keys.read(from, count, keyBytes);
                }
                batch.clear();
                for (int i = 0; i < count; i++) {
                    batch.add(
                            sources.getLong(),
                            targets.getLong(),
                            weights == null ? Double.NaN : weightBytes.getDouble(),
                            timestamps == null ? EdgeBatch.NO_TIMESTAMP : timestampBytes.getLong(),
                            keys == null ? EdgeBatch.NO_KEY : keyBytes.getLong());
                }
                consumer.accept(shard, batch);
            }
        }
    }

    private static @Nullable NpyFile openIfThere(Path file, String type) throws IOException {
        return Files.exists(file) ? new NpyFile(file, type) : null;
    }

    @Override
    public void readVertices(Path root, int shard, VertexConsumer consumer) throws IOException {
        Path file = root.resolve(OutputFiles.shard(shard) + "vertices.npy");
        try (NpyFile vertices = new NpyFile(file, NpyFile.INT64)) {
            ByteBuffer rows = NpyFile.allocate((int) Math.min(READ_EDGES, vertices.rows()) * COLUMNS);
            for (long from = 0; from < vertices.rows(); from += READ_EDGES) {
                int count = (int) Math.min(READ_EDGES, vertices.rows() - from);
                vertices.read(from * COLUMNS, count * COLUMNS, rows);
                for (int i = 0; i < count; i++) {
                    consumer.accept(shard, rows.getLong(), rows.getLong() == 0, rows.getLong());
                }
            }
        }
    }

    @Override
    public void readBook(Path root, BookConsumer consumer) throws IOException {
        try (NpyFile book = new NpyFile(root.resolve("partition-book.npy"), NpyFile.INT64);
                NpyFile replicaFile = new NpyFile(root.resolve("replicas.npy"), NpyFile.INT64)) {
            ReplicaColumn replicas = new ReplicaColumn(replicaFile);
            ByteBuffer rows = NpyFile.allocate(READ_EDGES * COLUMNS);
            for (long from = 0; from < book.rows(); from += READ_EDGES) {
                int count = (int) Math.min(READ_EDGES, book.rows() - from);
                book.read(from * COLUMNS, count * COLUMNS, rows);
                for (int i = 0; i < count; i++) {
                    long vertex = rows.getLong();
                    int partition = Math.toIntExact(rows.getLong());
                    int replicaCount = replicas.next(vertex, rows.getLong());
                    consumer.accept(vertex, partition, replicas.values, replicaCount);
                }
            }
        }
    }

    /** Iterates over the replicas of all vertices, one vertex after the other. */
    private static final class ReplicaColumn {
        private final NpyFile file;
        private final ByteBuffer bytes = NpyFile.allocate(4 * VertexLayout.MAX_PARTITIONS);
        private final int[] values = new int[VertexLayout.MAX_PARTITIONS];
        private long position;

        ReplicaColumn(NpyFile file) {
            this.file = file;
            bytes.limit(0);
        }

        int next(long vertex, long count) throws IOException {
            long left = file.rows() - position + bytes.remaining() / Long.BYTES;
            if (count < 0 || count > Math.min(left, values.length)) {
                throw new IOException("partition-book.npy gives vertex %d %d replicas, and replicas.npy has %d more"
                        .formatted(vertex, count, left));
            }
            if (bytes.remaining() < count * Long.BYTES) {
                position -= bytes.remaining() / Long.BYTES;
                int ahead = (int) Math.min(bytes.capacity() / Long.BYTES, file.rows() - position);
                file.read(position, ahead, bytes);
                position += ahead;
            }
            for (int i = 0; i < count; i++) {
                values[i] = (int) bytes.getLong();
            }
            return (int) count;
        }
    }
}
