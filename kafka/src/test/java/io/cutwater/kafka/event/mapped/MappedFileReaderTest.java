package io.cutwater.kafka.event.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFixture;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MappedFileReaderTest {
    private static final int EDGES = 2_000;

    @TempDir
    private Path folder;

    private static FieldMapping mapping(String source, String target, String weight, String timestamp) {
        return FieldMapping.parse(source, target, weight, timestamp, "");
    }

    private static void drain(EdgeBatch batch, List<String> edges, List<String> rejected) {
        for (int i = 0; i < batch.size(); i++) {
            edges.add("%d %d %s %d".formatted(batch.source(i), batch.target(i), batch.weight(i), batch.timestamp(i)));
        }
        for (RejectedRecord record : batch.rejected()) {
            rejected.add("%d: %s".formatted(record.offset(), record.reason()));
        }
        batch.clear();
    }

    private static List<String> read(Path file, FieldMapping mapping, List<String> rejected) throws IOException {
        List<String> edges = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader =
                MappedFileReader.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START, mapping, null)) {
            while (reader.read(batch, 1000)) {
                drain(batch, edges, rejected);
            }
        }
        return edges;
    }

    private Path file(String name, String content) {
        return EdgeFileFixture.write(folder.resolve(name), content);
    }

    @Test
    void linesOfJsonAreEdgesOrDeadLetters() throws IOException {
        Path file = file("a.ndjson", """
                \ufeff{"from":{"id":1},"to":"2","amount":0.5,"at":7}

                {"from":{"id":3},"to":4,"amount":null}
                {"from":{"id":5}}
                {"from":{"id":5},"to":18446744073709551616}
                {"from"
                [1]
                """);
        List<String> rejected = new ArrayList<>();
        assertThat(read(file, mapping("from.id", "to", "amount", "at"), rejected))
                .containsExactly("1 2 0.5 7", "3 4 NaN " + EdgeBatch.NO_TIMESTAMP);
        assertThat(rejected)
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("4: field to is missing"),
                        line -> assertThat(line).startsWith("5: field to is not a 64-bit integer"),
                        line -> assertThat(line).startsWith("6: the line cannot be read: it is not valid JSON"),
                        line -> assertThat(line).isEqualTo("7: the line cannot be read: it is not a JSON object"));
    }

    @Test
    void rowsOfATableAreEdgesOrDeadLetters() throws IOException {
        Path file = file("a.csv", """
                \ufeff# payments
                id,"from",to,"am""ount",note

                7,1,2,0.5,"a, ""b""\"
                7, 3 ,"4",,
                7,5
                7,5,,1,
                7,5,6,1,a,b
                7,5,6,1,"a
                7,5,"6"7,1,a
                % end
                8,-9,10,1e3,x
                """.replace("\n", "\r\n"));
        List<String> rejected = new ArrayList<>();
        assertThat(read(file, mapping("from", "to", "am\"ount", "id"), rejected))
                .containsExactly("1 2 0.5 7", "3 4 NaN 7", "-9 10 1000.0 8");
        assertThat(rejected)
                .containsExactly(
                        "6: field to is missing",
                        "7: field to is null",
                        "8: the line cannot be read: it has more fields than the 5 of the header",
                        "9: the line cannot be read: it has a field whose quotes do not end",
                        "10: the line cannot be read: it has text behind a field in quotes");
    }

    @ParameterizedTest
    @CsvSource({"a.tsv, '\t'", "b.csv, ;", "c.txt, ','"})
    void theHeaderTellsTheSeparator(String name, String separator) throws IOException {
        Path file = file(name, "x,to,from\n1,2,3\n".replace(",", separator));
        assertThat(read(file, mapping("from", "to", "", ""), new ArrayList<>()))
                .containsExactly("3 2 NaN " + EdgeBatch.NO_TIMESTAMP);
    }

    @Test
    void columnsOfParquetHaveAnyNames() throws IOException {
        MessageType schema = MessageTypeParser.parseMessageType(
                "message m { optional int64 payer; required int32 payee; optional double amount; required int64 src; }");
        Path file = folder.resolve("a.parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .build()) {
            writer.write(new SimpleGroup(schema)
                    .append("payer", 1L)
                    .append("payee", 2)
                    .append("src", 9L));
            writer.write(new SimpleGroup(schema)
                    .append("payee", 4)
                    .append("amount", 0.5)
                    .append("src", 8L));
        }
        List<String> rejected = new ArrayList<>();
        assertThat(read(file, mapping("payer", "payee", "amount", "src"), rejected))
                .containsExactly("1 2 NaN 9");
        assertThat(rejected).containsExactly("2: the row has no payer or no payee");
        assertThatThrownBy(() -> read(file, mapping("payer", "to", "", ""), rejected))
                .hasMessageContaining("has no column 'to'. Edges need the columns payer and to; it has: payer, payee");
        assertThatThrownBy(() -> read(file, mapping("a.payer", "payee", "", ""), rejected))
                .hasMessageContaining("no nested columns");
    }

    private List<String> keys(String name, String content, String key) throws IOException {
        List<String> read = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        Path file = content.isEmpty() ? folder.resolve(name) : file(name, content);
        FieldMapping mapping = FieldMapping.parse("payer", "payee", "", "", key);
        try (EdgeFileReader reader =
                MappedFileReader.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START, mapping, null)) {
            while (reader.read(batch, 2)) {
                for (int i = 0; i < batch.size(); i++) {
                    read.add("%d %d %d".formatted(batch.source(i), batch.target(i), batch.key(i)));
                }
                batch.rejected().forEach(rejected -> read.add(rejected.reason()));
                batch.clear();
            }
        }
        return read;
    }

    @Test
    void aFieldOrColumnHasTheKeysOfEdges() throws IOException {
        long hash = 2321461488659855039L; // sha256("a7"), its first 8 bytes
        assertThat(keys("k.csv", "id,payer,payee\n12,1,2\na7,3,4\n,5,6\n", "id"))
                .containsExactly("1 2 12", "3 4 " + hash, "field id is null");
        assertThat(keys("k.jsonl", "{\"id\":\"12\",\"payer\":1,\"payee\":2}\n{\"payer\":3,\"payee\":4}\n", "id"))
                .containsExactly("1 2 12", "field id is missing");
        MessageType schema = MessageTypeParser.parseMessageType(
                "message m { required int64 payer; required int64 payee; optional int64 id; required binary name; }");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new LocalOutputFile(folder.resolve("k.parquet")))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .build()) {
            for (long row = 0; row < 3; row++) {
                Group group = new SimpleGroup(schema)
                        .append("payer", row)
                        .append("payee", -row)
                        .append("name", "n");
                writer.write(row == 1 ? group : group.append("id", 10 + row));
            }
        }
        assertThat(keys("k.parquet", "", "id"))
                .containsExactly("0 0 10", "2 -2 12", "the row has no payer, no payee or no id");
        assertThatThrownBy(() -> keys("k.parquet", "", "name"))
                .hasMessageContaining("the column 'name' must be a signed int64 or int32");
        assertThatThrownBy(() -> keys("k.csv", "id,payer,payee\n1,1,2\n", ":key"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("k.csv has no records with keys, of which --edge-key :key is one. Name a field.");
    }

    @Test
    void namesAreCheckedAgainstTheHeader() {
        FieldMapping mapping = mapping("from", "too", "", "");
        assertThatThrownBy(() -> read(file("a.csv", "from,to\n1,2\n"), mapping, new ArrayList<>()))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(
                        "a.csv, whose first line names its fields: --target: the schema has no field too; the fields are from, to.");
        assertThatThrownBy(() -> read(file("b.csv", "# nothing\n"), mapping, new ArrayList<>()))
                .hasMessageContaining("is empty");
        assertThatThrownBy(() -> read(file("c.csv", "\"from,too\n"), mapping, new ArrayList<>()))
                .hasMessageContaining("quotes do not end");
        assertThatThrownBy(() -> read(file("d.metis", "1 0\n\n"), mapping, new ArrayList<>()))
                .hasMessageContaining("is metis, whose edges have no named fields");
    }

    /** Closed and opened again at random places, and read in random steps. */
    @ParameterizedTest
    @ValueSource(strings = {"a.jsonl", "a.jsonl.gz", "a.csv", "a.csv.zst"})
    void aReaderGoesOnWhereAnotherEnded(String name) throws IOException {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        boolean isJson = name.contains("json");
        StringBuilder text = new StringBuilder(isJson ? "" : "a,b\n");
        List<String> expected = new ArrayList<>();
        int malformed = 0;
        for (int i = 0; i < EDGES; i++) {
            if (random.nextInt(9) == 0) {
                text.append(isJson ? "{\"a\":1}" : "1").append('\n');
                malformed++;
            }
            text.append((isJson ? "{\"b\":%2$d,\"a\":%1$d}" : "%d,%d").formatted(i, i + 1))
                    .append('\n');
            expected.add("%d %d NaN %d".formatted(i, i + 1, EdgeBatch.NO_TIMESTAMP));
        }
        Path file = file(name, text.toString());
        FieldMapping mapping = mapping("a", "b", "", "");
        EdgeFileFormat format = EdgeFileFormat.ofName(file);
        List<String> edges = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        EdgeBatch batch = new EdgeBatch();
        EdgeFileReader reader = MappedFileReader.open(file, format, EdgeFilePosition.START, mapping, null);
        while (reader.read(batch, random.nextInt(1, 200))) {
            drain(batch, edges, rejected);
            if (random.nextInt(3) == 0) {
                EdgeFilePosition position = reader.position();
                reader.close();
                reader = MappedFileReader.open(file, format, position, mapping, null);
            }
        }
        assertThat(reader.bytesRead()).isEqualTo(Files.size(file));
        reader.close();
        assertThat(edges).isEqualTo(expected);
        assertThat(rejected).hasSize(malformed).allMatch(line -> line.endsWith("field b is missing"));
    }
}
