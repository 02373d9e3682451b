package io.cutwater.deploy.bench;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.sun.net.httpserver.HttpServer;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.EdgeEventEncoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.field.protobuf.ProtobufFiles;
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.edges.KnownTexts;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.VertexStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast records of each format become batches of edges, without a broker: edges per second of CPU time of
 * one thread, over records that differ. Rows of tables have six columns, envelopes the fields that Debezium's connector
 * for PostgreSQL writes.
 */
final class FormatBench {
    private static final int EDGES = 20_000;
    private static final int EDGES_OF_BATCH = 1_000;
    private static final int ROUNDS = 50;
    private static final int RUNS = 7;
    private static final int CACHE_BITS = 20;
    private static final double MICROS = 1e3;

    private static final Schema ROW = new Schema.Parser().parse("""
                    {"type":"record","name":"Value","namespace":"db.public.payments","fields":[
                    {"name":"id","type":"long"},{"name":"payer","type":"long"},{"name":"payee","type":"long"},
                    {"name":"amount","type":"double"},{"name":"currency","type":["null","string"],"default":null},
                    {"name":"booked_at","type":{"type":"long","logicalType":"timestamp-micros"}}]}""");

    private static final Schema TEXT_ROW = new Schema.Parser()
            .parse(ROW.toString()
                    .replace("\"payer\",\"type\":\"long\"", "\"payer\",\"type\":\"string\"")
                    .replace("\"payee\",\"type\":\"long\"", "\"payee\",\"type\":\"string\""));

    private static final Schema ENVELOPE = new Schema.Parser().parse("""
                    {"type":"record","name":"Envelope","namespace":"db.public.payments","fields":[
                    {"name":"before","type":["null",%s],"default":null},
                    {"name":"after","type":["null","Value"],"default":null},
                    {"name":"source","type":{"type":"record","name":"Source","namespace":"io.debezium.connector.postgresql",
                    "fields":[{"name":"version","type":"string"},{"name":"connector","type":"string"},
                    {"name":"name","type":"string"},{"name":"ts_ms","type":"long"},
                    {"name":"snapshot","type":["string","null"],"default":"false"},{"name":"db","type":"string"},
                    {"name":"sequence","type":["null","string"],"default":null},{"name":"schema","type":"string"},
                    {"name":"table","type":"string"},{"name":"txId","type":["null","long"],"default":null},
                    {"name":"lsn","type":["null","long"],"default":null}]}},
                    {"name":"transaction","type":["null","string"],"default":null},
                    {"name":"op","type":"string"},{"name":"ts_ms","type":["null","long"],"default":null}]}""".formatted(ROW));

    private static final String MESSAGE = "syntax = \"proto3\"; message Value { int64 id = 1; int64 payer = 2;"
            + " int64 payee = 3; double amount = 4; optional string currency = 5; int64 booked_at = 6; }";

    private static final String JSON = "{\"src\":%d,\"dst\":%d}";

    private static final String ROW_AS_JSON =
            "{\"id\":%d,\"payer\":%d,\"payee\":%d,\"amount\":%s,\"currency\":\"EUR\",\"booked_at\":1700000000000000}";

    private static final String SOURCE_AS_JSON =
            "{\"version\":\"3.6.1.Final\",\"connector\":\"postgresql\",\"name\":\"db\",\"ts_ms\":1700000000000,\"snapshot\":\"false\",\"db\":\"bank\",\"sequence\":\"[\\\"24023119\\\",\\\"24023128\\\"]\",\"schema\":\"public\",\"table\":\"payments\",\"txId\":771,\"lsn\":24023128}";

    private final long[] sources = new long[EDGES];
    private final long[] targets = new long[EDGES];
    private final PrintStream out;

    private FormatBench(PrintStream out) {
        this.out = out;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < EDGES; i++) {
            sources[i] = random.nextLong(10_000_000);
            targets[i] = random.nextLong(10_000_000);
        }
    }

    static void run(PrintStream out) throws IOException {
        new FormatBench(out).run();
    }

    private void run() throws IOException {
        HttpServer registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/schemas/ids/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            boolean isProtobuf = path.endsWith("/3");
            String schema = isProtobuf ? MESSAGE : (path.endsWith("/1") ? ROW : ENVELOPE).toString();
            byte[] answer = "{\"schemaType\":\"%s\",\"schema\":\"%s\"}"
                    .formatted(isProtobuf ? "PROTOBUF" : "AVRO", schema.replace("\"", "\\\""))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        registry.start();
        out.printf("%,d edges, best of %d runs of %d rounds, one thread%n%n", EDGES, RUNS, ROUNDS);
        out.println("| format | bytes per edge | M edges per CPU second |");
        out.println("|---|---|---|");
        try {
            rows("http://127.0.0.1:" + registry.getAddress().getPort());
        } finally {
            registry.stop(0);
        }
    }

    private void rows(String registry) {
        row("`batch`", own(EdgeEventFormat.BATCH), Map.of("event-format", "batch"));
        row("`binary`", own(EdgeEventFormat.BINARY), Map.of("event-format", "binary"));
        row("`csv`", own(EdgeEventFormat.CSV), Map.of("event-format", "csv"));
        row("`json`", own(EdgeEventFormat.JSON), Map.of("event-format", "json"));
        row("`json`, row of a table, mapped", each(this::rowAsJson), mapped("json", "", Map.of()));
        row("`avro`, row of a table", each(i -> avro(ROW, row(i), 0)), mapped("avro", "", schema(ROW)));
        row(
                "the same, with a registry",
                each(i -> avro(ROW, row(i), 1)),
                mapped("avro", "", Map.of("schema-registry", registry)));
        row("`protobuf`, row of a table", each(i -> message(i, false)), mapped("protobuf", "", descriptor()));
        row(
                "the same, with a registry",
                each(i -> message(i, true)),
                mapped("protobuf", "", Map.of("schema-registry", registry)));
        row("`debezium-json`, inserts", each(this::envelopeAsJson), mapped("debezium-json", "after.", Map.of()));
        row(
                "`debezium-avro`, inserts",
                each(i -> avro(ENVELOPE, envelope(i), 0)),
                mapped("debezium-avro", "after.", schema(ENVELOPE)));
        row(
                "the same, with a registry",
                each(i -> avro(ENVELOPE, envelope(i), 2)),
                mapped("debezium-avro", "after.", Map.of("schema-registry", registry)));
        row("`csv`, text ids", each(i -> bytes(text(sources[i]) + " " + text(targets[i]))), texts(Map.of()));
        row(
                "`json`, text ids",
                each(i -> bytes(textsIn(JSON.formatted(sources[i], targets[i])))),
                texts(Map.of("event-format", "json")));
        row(
                "`json`, row of a table, mapped, text ids",
                each(i -> bytes(textsIn(json(i)))),
                texts(mapped("json", "", Map.of())));
        row(
                "`avro`, row of a table, text ids",
                each(i -> avro(TEXT_ROW, textRow(i), 0)),
                texts(mapped("avro", "", schema(TEXT_ROW))));
        row(
                "`debezium-json`, inserts, text ids",
                each(i -> bytes(textsIn(new String(envelopeAsJson(i), StandardCharsets.UTF_8)))),
                texts(mapped("debezium-json", "after.", Map.of())));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(long vertex) {
        return "user:" + vertex;
    }

    /** Returns a record whose ends are text. */
    private static String textsIn(String json) {
        return json.replaceAll("\"(src|dst|payer|payee)\":(\\d+)", "\"$1\":\"user:$2\"");
    }

    private static Map<String, String> texts(Map<String, String> options) {
        Map<String, String> all = new HashMap<>(options);
        all.put("ids", "text");
        return all;
    }

    private static Map<String, String> schema(Schema schema) {
        return Map.of("avro-schema", schema.toString());
    }

    private static Map<String, String> mapped(String format, String prefix, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("event-format", format);
        options.put("source", prefix + "payer");
        options.put("target", prefix + "payee");
        options.put("timestamp", prefix + "booked_at");
        return options;
    }

    private void row(String name, List<ConsumerRecord<byte[], byte[]>> records, Map<String, String> options) {
        RecordFormat format = RecordFormatOptions.parse(options);
        EdgeEventDecoder decoder = format.decoder(null);
        TextIds ids = format.textIds();
        KnownTexts known = new KnownTexts(new Hashes(), "edges", CACHE_BITS);
        EdgeBatch spare = new EdgeBatch();
        EdgeBatch batch = new EdgeBatch();
        byte[] second = bytes(text(sources[1]));
        long expected = ids == null ? sources[1] : TextHash.of(ids.seed()).id(second);
        double[] nanos = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int round = 0; round < ROUNDS; round++) {
                batch.clear();
                records.forEach(record -> decoder.decode(record, batch));
                known.apply(batch, spare); // as the operator after the source
                if (batch.size() != EDGES
                        || batch.source(1) != expected
                        || !batch.rejected().isEmpty()) {
                    throw new IllegalStateException(name + ": " + batch.rejected());
                }
            }
            nanos[run] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        }
        long bytes = records.stream().mapToLong(record -> record.value().length).sum();
        out.printf(
                "| %s | %.0f | %.2f |%n",
                name,
                (double) bytes / EDGES,
                MICROS * EDGES * ROUNDS / Arrays.stream(nanos).min().orElseThrow());
    }

    /** The second hashes of ids, in memory. */
    private static final class Hashes implements VertexStore {
        private final Map<Long, byte[]> rows = new HashMap<>();

        @Override
        public byte @Nullable [] read(long vertex) {
            return rows.get(vertex);
        }

        @Override
        public void write(long[] vertices, byte[] @Nullable [] values, int count) {
            for (int i = 0; i < count; i++) {
                rows.put(vertices[i], values[i]);
            }
        }
    }

    private interface Record {
        byte[] value(int edge);
    }

    private List<ConsumerRecord<byte[], byte[]>> own(EdgeEventFormat format) {
        EdgeBatch edges = new EdgeBatch();
        for (int i = 0; i < EDGES; i++) {
            edges.add(sources[i], targets[i]);
        }
        EdgeEventEncoder encoder = format.encoder();
        int step = format.holdsManyEdges() ? EDGES_OF_BATCH : 1;
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < EDGES; i += step) {
            records.add(record(i, encoder.encode(edges, i, i + step)));
        }
        return records;
    }

    private static List<ConsumerRecord<byte[], byte[]>> each(Record values) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < EDGES; i++) {
            records.add(record(i, values.value(i)));
        }
        return records;
    }

    private static ConsumerRecord<byte[], byte[]> record(int offset, byte[] value) {
        return new ConsumerRecord<>("edges", 0, offset, null, value);
    }

    private String json(int edge) {
        return ROW_AS_JSON.formatted(edge, sources[edge], targets[edge], edge / 8.0);
    }

    private byte[] rowAsJson(int edge) {
        return json(edge).getBytes(StandardCharsets.UTF_8);
    }

    private byte[] envelopeAsJson(int edge) {
        return "{\"before\":null,\"after\":%s,\"source\":%s,\"transaction\":null,\"op\":\"c\",\"ts_ms\":1700000000123}"
                .formatted(json(edge), SOURCE_AS_JSON)
                .getBytes(StandardCharsets.UTF_8);
    }

    private GenericData.Record row(int edge) {
        GenericData.Record row = new GenericData.Record(ROW);
        row.put("id", (long) edge);
        row.put("payer", sources[edge]);
        row.put("payee", targets[edge]);
        row.put("amount", edge / 8.0);
        row.put("currency", "EUR");
        row.put("booked_at", 1_700_000_000_000_000L);
        return row;
    }

    private GenericData.Record textRow(int edge) {
        GenericData.Record row = new GenericData.Record(TEXT_ROW);
        ROW.getFields().forEach(field -> row.put(field.name(), row(edge).get(field.name())));
        row.put("payer", text(sources[edge]));
        row.put("payee", text(targets[edge]));
        return row;
    }

    private GenericData.Record envelope(int edge) {
        GenericData.Record envelope = new GenericData.Record(ENVELOPE);
        envelope.put("after", row(edge));
        GenericData.Record source =
                new GenericData.Record(ENVELOPE.getField("source").schema());
        source.put("version", "3.6.1.Final");
        source.put("connector", "postgresql");
        source.put("name", "db");
        source.put("ts_ms", 1_700_000_000_000L);
        source.put("snapshot", "false");
        source.put("db", "bank");
        source.put("sequence", "[\"24023119\",\"24023128\"]");
        source.put("schema", "public");
        source.put("table", "payments");
        source.put("txId", 771L);
        source.put("lsn", 24_023_128L);
        envelope.put("source", source);
        envelope.put("op", "c");
        envelope.put("ts_ms", 1_700_000_000_123L);
        return envelope;
    }

    private static Map<String, String> descriptor() {
        byte[] types = FileDescriptorSet.newBuilder()
                .addFile(ProtobufFiles.parse(MESSAGE, Map.of()).toProto())
                .build()
                .toByteArray();
        return Map.of("descriptor", "base64:" + Base64.getEncoder().encodeToString(types));
    }

    /** @param isFramed whether the id of the schema and the index of the type are before the message */
    private byte[] message(int edge, boolean isFramed) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (isFramed) {
            bytes.writeBytes(new byte[] {0, 0, 0, 0, 3, 0});
        }
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            out.writeInt64(1, edge);
            out.writeInt64(2, sources[edge]);
            out.writeInt64(3, targets[edge]);
            out.writeDouble(4, edge / 8.0);
            out.writeString(5, "EUR");
            out.writeInt64(6, 1_700_000_000_000_000L);
            out.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    /** @param id of the schema in the registry; 0 for a record without one before it */
    private static byte[] avro(Schema schema, GenericData.Record record, int id) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (id > 0) {
            bytes.writeBytes(new byte[] {0, 0, 0, 0, (byte) id});
        }
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        try {
            new GenericDatumWriter<>(schema).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }
}
