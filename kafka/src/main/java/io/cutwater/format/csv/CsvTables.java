package io.cutwater.format.csv;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.ShardVertexFile;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.table.VertexRows;
import io.cutwater.format.table.VertexSort;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The tables of an output folder as comma-separated ASCII text with a header line; lines end with LF, and an absent
 * value is empty.
 */
public final class CsvTables implements ShardTables {
    private static final String EDGES = "src,dst";
    private static final String WEIGHT = ",weight";
    private static final String TIMESTAMP = ",timestamp";
    private static final String KEY = ",key";
    private static final String VERTICES = "vertex,role,degree";
    private static final String BOOK = "vertex,partition,replicas";

    private final VertexRoles roles;

    public CsvTables(VertexRoles roles) {
        this.roles = roles;
    }

    @Override
    public void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException {
        try (HashedFile file = out.create(edgesName(shard));
                EdgeFrames frames = new EdgeFrames(edges.file())) {
            CsvRows rows = new CsvRows(file);
            rows.text(EDGES);
            rows.text(edges.hasWeights() ? WEIGHT : "");
            rows.text(edges.hasTimestamps() ? TIMESTAMP : "");
            rows.text(edges.hasKeys() ? KEY : "");
            rows.endRow();
            while (frames.next()) {
                if (edges.flags() == 0) {
                    writePairs(rows, frames);
                } else {
                    writeAttributed(rows, frames, edges);
                }
            }
            rows.drain();
        }
    }

    private static void writePairs(CsvRows rows, EdgeFrames frames) throws IOException {
        int size = frames.size();
        for (int i = 0; i < size; i++) {
            rows.pair(frames.source(i), frames.target(i));
            rows.endRow();
        }
    }

    private static void writeAttributed(CsvRows rows, EdgeFrames frames, StagedShard edges) throws IOException {
        int size = frames.size();
        for (int i = 0; i < size; i++) {
            rows.pair(frames.source(i), frames.target(i));
            if (edges.hasWeights()) {
                rows.comma();
                if (!Double.isNaN(frames.weight(i))) {
                    rows.number(frames.weight(i));
                }
            }
            if (edges.hasTimestamps()) {
                rows.comma();
                if (frames.timestamp(i) != EdgeBatch.NO_TIMESTAMP) {
                    rows.number(frames.timestamp(i));
                }
            }
            if (edges.hasKeys()) {
                rows.comma();
                if (frames.key(i) != EdgeBatch.NO_KEY) {
                    rows.number(frames.key(i));
                }
            }
            rows.endRow();
        }
    }

    @Override
    public void writeVertices(OutputFiles out, int shard, ShardVertexFile vertices) throws IOException {
        try (HashedFile file = out.create(verticesName(shard))) {
            CsvRows rows = new CsvRows(file);
            rows.text(VERTICES);
            rows.endRow();
            while (vertices.next()) {
                rows.number(vertices.vertex());
                rows.comma();
                rows.text(vertices.isHome() ? roles.home() : roles.other());
                rows.comma();
                rows.number(vertices.degree());
                rows.endRow();
            }
            rows.drain();
        }
    }

    @Override
    public BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException {
        HashedFile file = out.create("partition-book.csv");
        CsvRows rows = new CsvRows(file);
        rows.text(BOOK);
        rows.endRow();
        return new BookWriter() {
            @Override
            public void add(VertexSort sorted) throws IOException {
                ByteBuffer row = sorted.rows();
                int at = sorted.at();
                rows.pair(sorted.vertex(), VertexRows.master(row, at));
                int replicaCount = VertexRows.replicaCount(row, at);
                for (int i = 0; i < replicaCount; i++) {
                    rows.separator(i == 0 ? ',' : '|');
                    rows.number(VertexRows.replica(row, at, i));
                }
                rows.endRow();
            }

            @Override
            public void close() throws IOException {
                try (file) {
                    rows.drain();
                }
            }
        };
    }

    @Override
    public void readEdges(Path root, int shard, EdgeConsumer consumer) throws IOException {
        try (CsvScanner csv = new CsvScanner(root.resolve(edgesName(shard)))) {
            String header = csv.header();
            boolean hasWeights = header.contains(WEIGHT);
            boolean hasTimestamps = header.contains(TIMESTAMP);
            boolean hasKeys = header.contains(KEY);
            csv.expectHeader(
                    EDGES + (hasWeights ? WEIGHT : "") + (hasTimestamps ? TIMESTAMP : "") + (hasKeys ? KEY : ""));
            EdgeBatch batch = new EdgeBatch();
            while (csv.nextRow()) {
                long source = csv.number();
                long target = csv.number();
                double weight = hasWeights ? csv.decimal(Double.NaN) : Double.NaN;
                long timestamp = hasTimestamps ? csv.number(EdgeBatch.NO_TIMESTAMP) : EdgeBatch.NO_TIMESTAMP;
                long key = hasKeys ? csv.number(EdgeBatch.NO_KEY) : EdgeBatch.NO_KEY;
                csv.endRow();
                batch.add(source, target, weight, timestamp, key);
                if (batch.size() == READ_EDGES) {
                    consumer.accept(shard, batch);
                    batch.clear();
                }
            }
            if (!batch.isEmpty()) {
                consumer.accept(shard, batch);
            }
        }
    }

    @Override
    public void readVertices(Path root, int shard, VertexConsumer consumer) throws IOException {
        try (CsvScanner csv = new CsvScanner(root.resolve(verticesName(shard)))) {
            csv.expectHeader(VERTICES);
            while (csv.nextRow()) {
                long vertex = csv.number();
                boolean isHome = csv.choice(roles.home(), roles.other());
                long degree = csv.number();
                csv.endRow();
                consumer.accept(shard, vertex, isHome, degree);
            }
        }
    }

    @Override
    public void readBook(Path root, BookConsumer consumer) throws IOException {
        int[] replicas = new int[VertexLayout.MAX_PARTITIONS];
        try (CsvScanner csv = new CsvScanner(root.resolve("partition-book.csv"))) {
            csv.expectHeader(BOOK);
            while (csv.nextRow()) {
                long vertex = csv.number();
                int partition = Math.toIntExact(csv.number());
                int replicaCount = csv.numbers(replicas);
                csv.endRow();
                consumer.accept(vertex, partition, replicas, replicaCount);
            }
        }
    }

    private static String edgesName(int shard) {
        return OutputFiles.shard(shard) + "edges.csv";
    }

    private static String verticesName(int shard) {
        return OutputFiles.shard(shard) + "vertices.csv";
    }
}
