package io.cutwater.deploy.bench;

import com.google.protobuf.CodedOutputStream;
import io.cutwater.state.graph.EdgeBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** The records of {@link FormatBench}: edges as rows of a table and as Debezium's changes of it. */
final class BenchRecords {
    static final Schema ROW = new Schema.Parser().parse("""
                    {"type":"record","name":"Value","namespace":"db.public.payments","fields":[
                    {"name":"id","type":"long"},{"name":"payer","type":"long"},{"name":"payee","type":"long"},
                    {"name":"amount","type":"double"},{"name":"currency","type":["null","string"],"default":null},
                    {"name":"booked_at","type":{"type":"long","logicalType":"timestamp-micros"}}]}""");

    static final Schema TEXT_ROW = new Schema.Parser()
            .parse(ROW.toString()
                    .replace("\"payer\",\"type\":\"long\"", "\"payer\",\"type\":\"string\"")
                    .replace("\"payee\",\"type\":\"long\"", "\"payee\",\"type\":\"string\""));

    static final Schema ENVELOPE = new Schema.Parser().parse("""
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

    static final String MESSAGE = "syntax = \"proto3\"; message Value { int64 id = 1; int64 payer = 2;"
            + " int64 payee = 3; double amount = 4; optional string currency = 5; int64 booked_at = 6; }";

    private static final String JSON = "{\"src\":%d,\"dst\":%d}";

    private static final String ROW_AS_JSON =
            "{\"id\":%d,\"payer\":%d,\"payee\":%d,\"amount\":%s,\"currency\":\"EUR\",\"booked_at\":1700000000000000}";

    private static final String SOURCE_AS_JSON =
            "{\"version\":\"3.6.1.Final\",\"connector\":\"postgresql\",\"name\":\"db\",\"ts_ms\":1700000000000,\"snapshot\":\"false\",\"db\":\"bank\",\"sequence\":\"[\\\"24023119\\\",\\\"24023128\\\"]\",\"schema\":\"public\",\"table\":\"payments\",\"txId\":771,\"lsn\":24023128}";

    private final long[] sources;
    private final long[] targets;

    /** Draws edges. */
    BenchRecords(int count) {
        sources = new long[count];
        targets = new long[count];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < count; i++) {
            sources[i] = random.nextLong(10_000_000);
            targets[i] = random.nextLong(10_000_000);
        }
    }

    /** Returns all edges. */
    EdgeBatch edges() {
        EdgeBatch edges = new EdgeBatch();
        for (int i = 0; i < sources.length; i++) {
            edges.add(sources[i], targets[i]);
        }
        return edges;
    }

    long source(int edge) {
        return sources[edge];
    }

    /** Returns the text that stands for the source. */
    byte[] sourceText(int edge) {
        return bytes(text(sources[edge]));
    }

    /** Returns the line of an edge whose ends are text. */
    byte[] textLine(int edge) {
        return bytes(text(sources[edge]) + " " + text(targets[edge]));
    }

    /** Returns an edge in JSON whose ends are text. */
    byte[] textsAsJson(int edge) {
        return withTexts(bytes(JSON.formatted(sources[edge], targets[edge])));
    }

    /** Returns a record in JSON with text as ends. */
    static byte[] withTexts(byte[] json) {
        return bytes(new String(json, StandardCharsets.UTF_8)
                .replaceAll("\"(src|dst|payer|payee)\":(\\d+)", "\"$1\":\"user:$2\""));
    }

    /** @param id of the schema in the registry; 0 for a record without one before it */
    byte[] row(int edge, int id) {
        return avro(ROW, row(edge), id);
    }

    /** @param id of the schema in the registry; 0 for a record without one before it */
    byte[] envelope(int edge, int id) {
        return avro(ENVELOPE, envelope(edge), id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(long vertex) {
        return "user:" + vertex;
    }

    private String json(int edge) {
        return ROW_AS_JSON.formatted(edge, sources[edge], targets[edge], edge / 8.0);
    }

    byte[] rowAsJson(int edge) {
        return json(edge).getBytes(StandardCharsets.UTF_8);
    }

    byte[] envelopeAsJson(int edge) {
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

    /** Returns a row whose ends are text, in Avro. */
    byte[] textRow(int edge) {
        GenericData.Record row = new GenericData.Record(TEXT_ROW);
        ROW.getFields().forEach(field -> row.put(field.name(), row(edge).get(field.name())));
        row.put("payer", text(sources[edge]));
        row.put("payee", text(targets[edge]));
        return avro(TEXT_ROW, row, 0);
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

    /** @param isFramed whether the id of the schema and the index of the type are before the message */
    byte[] message(int edge, boolean isFramed) {
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
