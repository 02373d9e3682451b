package io.cutwater.format.vertex;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.binary.SortedRows;
import io.cutwater.format.binary.StagedFiles;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.file.ParallelTasks;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.json.VertexCoverage;
import io.cutwater.format.table.ShardTables;
import io.cutwater.state.quality.TrainingQuality;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the data of the vertices of each shard as NumPy arrays. Row i of an array describes the vertex in row i of the
 * shard's vertices. Arrays that the input does not have are omitted.
 *
 * <pre>
 *   features.npy  float32 [n, d]  0 for a vertex without a row
 *   labels.npy    int64 [n]       −1 for none
 *   split.npy     int8 [n]        0 none, 1 train, 2 val, 3 test
 * </pre>
 *
 * and {@value #SUMMARY} in the folder. Memory is bounded: rows are staged once and picked by each shard. If rows name
 * their vertices, the ids are sorted on disk, 16 bytes each, and merged with the partition book.
 */
public final class VertexDataFiles {
    public static final String SUMMARY = "vertex-data.json";
    public static final String FEATURES = "features.npy";
    public static final String LABELS = "labels.npy";
    public static final String SPLIT = "split.npy";

    private static final int NO_ROW = -1;
    private static final int BUFFERED_BYTES = 64 << 20;
    private static final int MAX_BUFFER_BYTES = 1 << 18;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private final OutputFiles out;
    private final Path output;
    private final ShardTables tables;
    private final List<Long> shardVertices;
    private final Path scratch;
    private final AtomicLong verticesWithRow = new AtomicLong();
    private final AtomicLong verticesWithoutRow = new AtomicLong();
    private final AtomicLong labelled = new AtomicLong();
    private final AtomicLongArray training;

    /**
     * @param output the folder that already has the tables of the shards
     * @param shardVertices the number of vertices of each shard
     */
    public VertexDataFiles(OutputFiles out, Path output, ShardTables tables, List<Long> shardVertices, Path scratch) {
        this.out = out;
        this.output = output;
        this.tables = tables;
        this.shardVertices = shardVertices;
        this.scratch = scratch;
        training = new AtomicLongArray(shardVertices.size());
    }

    /** Receives the data of all vertices in ascending order, each once; a vertex without a row has none. */
    public interface RowConsumer extends Closeable {
        void accept(VertexDataRow row) throws IOException;
    }

    /** @param all receives the data of all vertices, too; null for nobody */
    public VertexDataSummary write(
            VertexFiles files, VertexShape shape, ParallelTasks parallel, @Nullable RowConsumer all)
            throws IOException {
        try (ExternalSort ids = ExternalSort.ofPairs(scratch.resolve("vertex-ids.bin"), ExternalSort.RUN_PAIRS);
                StagedVertexData staged = new StagedVertexData(files, shape, scratch.resolve("vertex-data.bin"), ids)) {
            if (shape.hasIds()) {
                writeRowNumbers(ids.sorted());
            }
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int shard = 0; shard < shardVertices.size(); shard++) {
                int number = shard;
                tasks.add(() -> {
                    writeShard(number, shape, staged);
                    return number;
                });
            }
            parallel.run(tasks);
            if (all != null) {
                readInOrder(shape, ids, staged, all);
            }
        }
        Files.delete(scratch.resolve("vertex-data.bin"));
        VertexDataSummary summary = new VertexDataSummary(
                shape.rows(),
                shape.featureCount(),
                shape.hasLabels(),
                shape.hasSplit(),
                shape.rows() - verticesWithRow.get(),
                verticesWithoutRow.get());
        try (HashedFile file = out.create(SUMMARY)) {
            file.write((JSON.writeValueAsString(summary) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return summary;
    }

    /** Writes the row numbers of each shard's vertices; both the book and the ids ascend. */
    private void writeRowNumbers(SortedRows ids) throws IOException {
        int shards = shardVertices.size();
        List<Path> paths = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            paths.add(rowNumbers(shard));
        }
        int bufferBytes = Math.min(MAX_BUFFER_BYTES, Math.max(Long.BYTES, BUFFERED_BYTES / shards));
        try (StagedFiles numbers = new StagedFiles(paths, new long[shards], bufferBytes)) {
            IdMerge merge = new IdMerge(ids);
            tables.readBook(output, (vertex, partition, replicas, replicaCount) -> {
                long row = merge.rowOf(vertex);
                for (int i = 0; i < replicaCount; i++) {
                    numbers.room(replicas[i], Long.BYTES).putLong(row);
                }
            });
            merge.finish();
            numbers.flush();
        }
    }

    private Path rowNumbers(int shard) {
        return scratch.resolve("row-numbers-%05d.bin".formatted(shard));
    }

    /** A merge of ids and vertices. */
    private static final class IdMerge {
        private final SortedRows ids;
        private boolean isThere;
        private long id;
        private long row;

        IdMerge(SortedRows ids) throws IOException {
            this.ids = ids;
            isThere = ids.next();
            take();
        }

        private void take() {
            id = ids.first();
            row = ids.second();
        }

        private void move() throws IOException {
            isThere = ids.next();
            if (isThere && ids.first() == id) {
                throw new IOException("vertex %d has two rows of vertex data, %d and %d (from 0); leave one out"
                        .formatted(id, row, ids.second()));
            }
            take();
        }

        long rowOf(long vertex) throws IOException {
            while (isThere && id < vertex) {
                move();
            }
            return isThere && id == vertex ? row : NO_ROW;
        }

        /** Checks that the remaining ids are distinct, too. */
        void finish() throws IOException {
            while (isThere) {
                move();
            }
        }
    }

    private void writeShard(int shard, VertexShape shape, StagedVertexData staged) throws IOException {
        long vertices = shardVertices.get(shard);
        Path numbers = rowNumbers(shard);
        try (LongFile rowNumbers = shape.hasIds() ? new LongFile(numbers) : null;
                VertexArrays arrays = new VertexArrays(
                        out,
                        OutputFiles.shard(shard),
                        vertices,
                        shape.featureCount(),
                        shape.hasLabels(),
                        shape.hasSplit())) {
            StagedVertexData.Rows rows = staged.rows();
            VertexDataRow row = new VertexDataRow(shape.featureCount());
            tables.readVertices(output, shard, (number, vertex, isHome, degree) -> {
                long at = rowNumbers == null ? ofLine(vertex, shape) : rowNumbers.next();
                read(at, rows, row);
                if (isHome) {
                    (at == NO_ROW ? verticesWithoutRow : verticesWithRow).incrementAndGet();
                    labelled.addAndGet(row.label == VertexFileReader.NO_LABEL ? 0 : 1);
                    if (row.split == VertexSplit.TRAIN.ordinal()) {
                        training.incrementAndGet(shard);
                    }
                }
                arrays.accept(row);
            });
        }
        Files.deleteIfExists(numbers);
    }

    private void readInOrder(VertexShape shape, ExternalSort ids, StagedVertexData staged, RowConsumer all)
            throws IOException {
        StagedVertexData.Rows rows = staged.rows();
        VertexDataRow row = new VertexDataRow(shape.featureCount());
        IdMerge merge = shape.hasIds() ? new IdMerge(ids.sorted()) : null;
        tables.readBook(output, (vertex, partition, replicas, replicaCount) -> {
            read(merge == null ? ofLine(vertex, shape) : merge.rowOf(vertex), rows, row);
            all.accept(row);
        });
    }

    private static void read(long at, StagedVertexData.Rows rows, VertexDataRow into) throws IOException {
        if (at == NO_ROW) {
            into.clear();
        } else {
            rows.read(at, into);
        }
    }

    /** Returns the distribution of the training vertices that were written. */
    public TrainingQuality training() {
        return TrainingQuality.of(
                IntStream.range(0, training.length()).mapToLong(training::get).toArray());
    }

    /** Returns the number of vertices with data that were written; null for a graph without vertices. */
    public @Nullable VertexCoverage coverage(VertexShape shape) {
        long vertices = verticesWithRow.get() + verticesWithoutRow.get();
        return vertices == 0
                ? null
                : new VertexCoverage(vertices, shape.featureCount() > 0 ? verticesWithRow.get() : 0, labelled.get());
    }

    private static long ofLine(long vertex, VertexShape shape) {
        return vertex >= 0 && vertex < shape.rows() ? vertex : NO_ROW;
    }

    /** @throws IOException if the file is not one that this version wrote; the message is meant for users */
    public static VertexDataSummary readSummary(Path root) throws IOException {
        Path file = root.resolve(SUMMARY);
        try {
            return JSON.readValue(file.toFile(), VertexDataSummary.class);
        } catch (JsonProcessingException e) {
            throw new IOException("%s is damaged: %s".formatted(file, e.getOriginalMessage()), e);
        }
    }
}
