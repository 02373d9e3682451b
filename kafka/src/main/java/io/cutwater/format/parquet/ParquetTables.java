package io.cutwater.format.parquet;

import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.parquet.ParquetFile.Row;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.ShardVertexFile;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.table.VertexRows;
import io.cutwater.format.table.VertexSort;
import io.cutwater.format.text.AsciiDigits;
import io.cutwater.format.text.NumberScanner;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.table.VertexLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an output folder as Parquet with Zstandard pages. The columns are those of the CSV files;
 * {@code weight}, {@code timestamp} and {@code key} are null where an edge has none, and {@code replicas} is the text
 * {@code p1|p2|…}. The key {@code cutwater.run} of each file's metadata holds the run id of the manifest.
 */
public final class ParquetTables implements ShardTables {
    private static final MessageType VERTICES = Types.buildMessage()
            .required(INT64)
            .named("vertex")
            .required(BINARY)
            .as(stringType())
            .named("role")
            .required(INT64)
            .named("degree")
            .named("vertices");
    private static final MessageType BOOK = Types.buildMessage()
            .required(INT64)
            .named("vertex")
            .required(INT32)
            .named("partition")
            .required(BINARY)
            .as(stringType())
            .named("replicas")
            .named("partition_book");
    private static final int MAX_DIGITS = 5;

    private final Binary home;
    private final Binary other;

    public ParquetTables(VertexRoles roles) {
        home = constant(roles.home());
        other = constant(roles.other());
    }

    // From a constant array: a Binary made from a string moves a buffer's position when it is read, and threads share
    // these.
    private static Binary constant(String text) {
        return Binary.fromConstantByteArray(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void writeEdges(OutputFiles out, int shard, StagedShard edges) throws IOException {
        try (HashedFile file = out.create(nameOf(shard, "edges"));
                ParquetWriter<Row> writer = ParquetFile.writer(file, edgesSchema(edges), out.runId());
                EdgeFrames frames = new EdgeFrames(edges.file())) {
            EdgeRow row = new EdgeRow(frames, edges);
            while (frames.next()) {
                for (row.i = 0; row.i < frames.size(); row.i++) {
                    writer.write(row);
                }
            }
        }
    }

    private static MessageType edgesSchema(StagedShard edges) {
        Types.GroupBuilder<MessageType> schema = Types.buildMessage()
                .required(INT64)
                .named("src")
                .required(INT64)
                .named("dst");
        if (edges.hasWeights()) {
            schema = schema.optional(DOUBLE).named("weight");
        }
        if (edges.hasTimestamps()) {
            schema = schema.optional(INT64).named("timestamp");
        }
        if (edges.hasKeys()) {
            schema = schema.optional(INT64).named("key");
        }
        return schema.named("edges");
    }

    private static final class EdgeRow implements Row {
        private final EdgeFrames frames;
        private final boolean hasWeights;
        private final int timestampField;
        private final int keyField;
        private int i;

        EdgeRow(EdgeFrames frames, StagedShard edges) {
            this.frames = frames;
            hasWeights = edges.hasWeights();
            timestampField = edges.hasTimestamps() ? 2 + (hasWeights ? 1 : 0) : -1;
            keyField = edges.hasKeys() ? 2 + (hasWeights ? 1 : 0) + (edges.hasTimestamps() ? 1 : 0) : -1;
        }

        @Override
        public void write(RecordConsumer fields) {
            putLong(fields, "src", 0, frames.source(i));
            putLong(fields, "dst", 1, frames.target(i));
            if (hasWeights && !Double.isNaN(frames.weight(i))) {
                fields.startField("weight", 2);
                fields.addDouble(frames.weight(i));
                fields.endField("weight", 2);
            }
            if (timestampField >= 0 && frames.timestamp(i) != EdgeBatch.NO_TIMESTAMP) {
                putLong(fields, "timestamp", timestampField, frames.timestamp(i));
            }
            if (keyField >= 0 && frames.key(i) != EdgeBatch.NO_KEY) {
                putLong(fields, "key", keyField, frames.key(i));
            }
        }
    }

    private static void putLong(RecordConsumer fields, String name, int index, long value) {
        fields.startField(name, index);
        fields.addLong(value);
        fields.endField(name, index);
    }

    private static void putText(RecordConsumer fields, String name, int index, Binary value) {
        fields.startField(name, index);
        fields.addBinary(value);
        fields.endField(name, index);
    }

    @Override
    public void writeVertices(OutputFiles out, int shard, ShardVertexFile vertices) throws IOException {
        try (HashedFile file = out.create(nameOf(shard, "vertices"));
                ParquetWriter<Row> writer = ParquetFile.writer(file, VERTICES, out.runId())) {
            Row row = fields -> {
                putLong(fields, "vertex", 0, vertices.vertex());
                putText(fields, "role", 1, vertices.isHome() ? home : other);
                putLong(fields, "degree", 2, vertices.degree());
            };
            while (vertices.next()) {
                writer.write(row);
            }
        }
    }

    @Override
    public BookWriter openBook(OutputFiles out, long vertexCount, long replicaTotal) throws IOException {
        HashedFile file = out.create("partition-book.parquet");
        ParquetWriter<Row> writer = ParquetFile.writer(file, BOOK, out.runId());
        return new BookWriter() {
            private final byte[] text = new byte[VertexLayout.MAX_PARTITIONS * MAX_DIGITS];

            @Override
            public void add(VertexSort sorted) throws IOException {
                writer.write(fields -> {
                    ByteBuffer row = sorted.rows();
                    putLong(fields, "vertex", 0, sorted.vertex());
                    fields.startField("partition", 1);
                    fields.addInteger(VertexRows.master(row, sorted.at()));
                    fields.endField("partition", 1);
                    int length = replicas(text, row, sorted.at());
                    putText(fields, "replicas", 2, Binary.fromReusedByteArray(text, 0, length));
                });
            }

            @Override
            public void close() throws IOException {
                try (file;
                        writer) {}
            }
        };
    }

    private static int replicas(byte[] text, ByteBuffer row, int at) {
        int replicaCount = VertexRows.replicaCount(row, at);
        int end = 0;
        for (int i = 0; i < replicaCount; i++) {
            if (i > 0) {
                text[end++] = '|';
            }
            end = AsciiDigits.put(text, end, VertexRows.replica(row, at, i));
        }
        return end;
    }

    @Override
    public void readEdges(Path root, int shard, EdgeConsumer consumer) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        try (ParquetFile file = new ParquetFile(root.resolve(nameOf(shard, "edges")))) {
            for (long rows = file.nextRows(); rows >= 0; rows = file.nextRows()) {
                ColumnReader sources = file.column("src");
                ColumnReader targets = file.column("dst");
                ColumnReader weights = file.hasColumn("weight") ? file.column("weight") : null;
                ColumnReader timestamps = file.hasColumn("timestamp") ? file.column("timestamp") : null;
                ColumnReader keys = file.hasColumn("key") ? file.column("key") : null;
                for (long i = 0; i < rows; i++) {
                    batch.add(
                            nextLong(sources),
                            nextLong(targets),
                            nextWeight(weights),
                            nextOr(timestamps, EdgeBatch.NO_TIMESTAMP),
                            nextOr(keys, EdgeBatch.NO_KEY));
                    if (batch.size() == READ_EDGES) {
                        consumer.accept(shard, batch);
                        batch.clear();
                    }
                }
            }
        }
        if (!batch.isEmpty()) {
            consumer.accept(shard, batch);
        }
    }

    private static long nextLong(ColumnReader column) {
        long value = column.getLong();
        column.consume();
        return value;
    }

    private static double nextWeight(@Nullable ColumnReader column) {
        if (column == null) {
            return Double.NaN;
        }
        double value = column.getCurrentDefinitionLevel() == 0 ? Double.NaN : column.getDouble();
        column.consume();
        return value;
    }

    private static long nextOr(@Nullable ColumnReader column, long none) {
        if (column == null) {
            return none;
        }
        long value = column.getCurrentDefinitionLevel() == 0 ? none : column.getLong();
        column.consume();
        return value;
    }

    @Override
    public void readVertices(Path root, int shard, VertexConsumer consumer) throws IOException {
        try (ParquetFile file = new ParquetFile(root.resolve(nameOf(shard, "vertices")))) {
            for (long rows = file.nextRows(); rows >= 0; rows = file.nextRows()) {
                ColumnReader vertices = file.column("vertex");
                ColumnReader roles = file.column("role");
                ColumnReader degrees = file.column("degree");
                for (long i = 0; i < rows; i++) {
                    boolean isHome = roles.getBinary().equals(home);
                    roles.consume();
                    consumer.accept(shard, nextLong(vertices), isHome, nextLong(degrees));
                }
            }
        }
    }

    @Override
    public void readBook(Path root, BookConsumer consumer) throws IOException {
        int[] replicas = new int[VertexLayout.MAX_PARTITIONS];
        NumberScanner numbers = new NumberScanner();
        try (ParquetFile file = new ParquetFile(root.resolve("partition-book.parquet"))) {
            for (long rows = file.nextRows(); rows >= 0; rows = file.nextRows()) {
                ColumnReader vertices = file.column("vertex");
                ColumnReader partitions = file.column("partition");
                ColumnReader texts = file.column("replicas");
                for (long i = 0; i < rows; i++) {
                    int replicaCount = parse(texts.getBinary().getBytesUnsafe(), numbers, replicas);
                    consumer.accept(nextLong(vertices), partitions.getInteger(), replicas, replicaCount);
                    partitions.consume();
                    texts.consume();
                }
            }
        }
    }

    private static int parse(byte[] text, NumberScanner numbers, int[] replicas) throws IOException {
        int count = 0;
        int from = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '|') {
                if (numbers.scanInteger(text, from, i) != i || count == replicas.length) {
                    throw new IOException("partition-book.parquet: '%s' is not a list of replicas p1|p2|…"
                            .formatted(new String(text, StandardCharsets.UTF_8)));
                }
                replicas[count++] = (int) numbers.integer();
                from = i + 1;
            }
        }
        return count;
    }

    private static String nameOf(int shard, String table) {
        return OutputFiles.shard(shard) + table + ".parquet";
    }
}
