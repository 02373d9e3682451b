package io.cutwater.deploy.bench;

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
import org.apache.avro.Schema;
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

    private final BenchRecords records = new BenchRecords(EDGES);
    private final PrintStream out;

    private FormatBench(PrintStream out) {
        this.out = out;
    }

    static void run(PrintStream out) throws IOException {
        new FormatBench(out).run();
    }

    private void run() throws IOException {
        HttpServer registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/schemas/ids/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            boolean isProtobuf = path.endsWith("/3");
            String schema = isProtobuf
                    ? BenchRecords.MESSAGE
                    : (path.endsWith("/1") ? BenchRecords.ROW : BenchRecords.ENVELOPE).toString();
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
        row("`json`, row of a table, mapped", each(records::rowAsJson), mapped("json", "", Map.of()));
        row("`avro`, row of a table", each(i -> records.row(i, 0)), mapped("avro", "", schema(BenchRecords.ROW)));
        row(
                "the same, with a registry",
                each(i -> records.row(i, 1)),
                mapped("avro", "", Map.of("schema-registry", registry)));
        row("`protobuf`, row of a table", each(i -> records.message(i, false)), mapped("protobuf", "", descriptor()));
        row(
                "the same, with a registry",
                each(i -> records.message(i, true)),
                mapped("protobuf", "", Map.of("schema-registry", registry)));
        row("`debezium-json`, inserts", each(records::envelopeAsJson), mapped("debezium-json", "after.", Map.of()));
        row(
                "`debezium-avro`, inserts",
                each(i -> records.envelope(i, 0)),
                mapped("debezium-avro", "after.", schema(BenchRecords.ENVELOPE)));
        row(
                "the same, with a registry",
                each(i -> records.envelope(i, 2)),
                mapped("debezium-avro", "after.", Map.of("schema-registry", registry)));
        row("`csv`, text ids", each(records::textLine), texts(Map.of()));
        row("`json`, text ids", each(records::textsAsJson), texts(Map.of("event-format", "json")));
        row(
                "`json`, row of a table, mapped, text ids",
                each(i -> BenchRecords.withTexts(records.rowAsJson(i))),
                texts(mapped("json", "", Map.of())));
        row(
                "`avro`, row of a table, text ids",
                each(records::textRow),
                texts(mapped("avro", "", schema(BenchRecords.TEXT_ROW))));
        row(
                "`debezium-json`, inserts, text ids",
                each(i -> BenchRecords.withTexts(records.envelopeAsJson(i))),
                texts(mapped("debezium-json", "after.", Map.of())));
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

    private void row(String name, List<ConsumerRecord<byte[], byte[]>> values, Map<String, String> options) {
        RecordFormat format = RecordFormatOptions.parse(options);
        EdgeEventDecoder decoder = format.decoder(null);
        TextIds ids = format.textIds();
        KnownTexts known = new KnownTexts(new Hashes(), "edges", CACHE_BITS);
        EdgeBatch spare = new EdgeBatch();
        EdgeBatch batch = new EdgeBatch();
        long expected =
                ids == null ? records.source(1) : TextHash.of(ids.seed()).id(records.sourceText(1));
        double[] nanos = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int round = 0; round < ROUNDS; round++) {
                batch.clear();
                values.forEach(record -> decoder.decode(record, batch));
                known.apply(batch, spare); // as the operator after the source
                if (batch.size() != EDGES
                        || batch.source(1) != expected
                        || !batch.rejected().isEmpty()) {
                    throw new IllegalStateException(name + ": " + batch.rejected());
                }
            }
            nanos[run] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        }
        long bytes = values.stream().mapToLong(record -> record.value().length).sum();
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
        EdgeBatch edges = records.edges();
        EdgeEventEncoder encoder = format.encoder();
        int step = format.holdsManyEdges() ? EDGES_OF_BATCH : 1;
        List<ConsumerRecord<byte[], byte[]>> encoded = new ArrayList<>();
        for (int i = 0; i < EDGES; i += step) {
            encoded.add(record(i, encoder.encode(edges, i, i + step)));
        }
        return encoded;
    }

    private static List<ConsumerRecord<byte[], byte[]>> each(Record values) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (int i = 0; i < EDGES; i++) {
            all.add(record(i, values.value(i)));
        }
        return all;
    }

    private static ConsumerRecord<byte[], byte[]> record(int offset, byte[] value) {
        return new ConsumerRecord<>("edges", 0, offset, null, value);
    }

    private static Map<String, String> descriptor() {
        byte[] types = FileDescriptorSet.newBuilder()
                .addFile(ProtobufFiles.parse(BenchRecords.MESSAGE, Map.of()).toProto())
                .build()
                .toByteArray();
        return Map.of("descriptor", "base64:" + Base64.getEncoder().encodeToString(types));
    }
}
