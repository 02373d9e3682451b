package io.cutwater.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cutwater.kafka.client.TlsEngines;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers are those of the API references of Confluent's and Apicurio's registries. */
final class RegistryRecordsTest {
    private static final String PAYER_FIRST =
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"payer\",\"type\":\"long\"},{\"name\":\"payee\",\"type\":\"long\"}]}";
    private static final String PAYEE_FIRST =
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"payee\",\"type\":\"long\"},{\"name\":\"payer\",\"type\":\"long\"}]}";

    private final AnsweringRegistry registry = new AnsweringRegistry();
    private final List<Long> pauses = new ArrayList<>();
    private final FieldTree tree = new FieldTree();
    private final int payer = tree.add(FieldPath.parse("payer"));
    private final int payee = tree.add(FieldPath.parse("payee"));
    private final FieldValues values = new FieldValues(tree);

    @AfterEach
    void stop() {
        registry.close();
    }

    private FieldReader reader(String url, String file, SchemaType type) {
        return new RegistryFieldReader(
                new RegistryEncoding(RegistryAddress.of(url, file), type, ""), false, tree, pauses::add);
    }

    private @Nullable String read(FieldReader reader, String hex, Headers headers) {
        return reader.read(HexFormat.of().parseHex(hex), 0, headers, values);
    }

    private @Nullable String read(FieldReader reader, String hex) {
        return read(reader, hex, new RecordHeaders());
    }

    private void assertEnds(long from, long to) {
        assertThat(values.integerProblem(payer)).isNull();
        assertThat(values.integerProblem(payee)).isNull();
        assertThat(List.of(values.integer(payer), values.integer(payee))).containsExactly(from, to);
    }

    @Test
    void eachSchemaIsAskedForOnceAndReadsItsRecords() throws IOException {
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYER_FIRST, ""));
        registry.answers()
                .put(
                        "/schemas/ids/256",
                        AnsweringRegistry.json(PAYEE_FIRST, ",\"schemaType\":\"AVRO\",\"references\":[]"));
        FieldReader reader = reader(registry.start() + "/", "", SchemaType.AVRO);
        for (int i = 0; i < 3; i++) {
            assertThat(read(reader, "0000000007" + "0204")).isNull();
            assertEnds(1, 2);
            assertThat(read(reader, "0000000100" + "0204")).isNull();
            assertEnds(2, 1);
        }
        assertThat(registry.asked()).containsExactly("/schemas/ids/7", "/schemas/ids/256");
        assertThat(read(reader, "0000000007" + "02")).contains("truncated").endsWith("(schema 7)");
        assertThat(read(reader, "0000")).contains("names no schema");
        assertThat(read(reader, "")).contains("names no schema");
        assertThat(read(reader, "0300" + "00".repeat(16))).contains("Glue");
    }

    @Test
    void headersNameTheSchemaBeforeTheFirstBytesDo() throws IOException {
        String guid = "0fb4b7a2-6c0e-4a3e-8a63-1b9f6d1b0c55";
        registry.answers()
                .put("/schemas/guids/" + guid, AnsweringRegistry.json(PAYER_FIRST, ",\"guid\":\"%s\"".formatted(guid)));
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYEE_FIRST, ""));
        FieldReader reader = reader(registry.start(), "", SchemaType.AVRO);
        byte[] inHeader = HexFormat.of().parseHex("01" + guid.replace("-", ""));
        for (int i = 0; i < 2; i++) {
            assertThat(read(reader, "0002", new RecordHeaders().add("__value_schema_id", inHeader)))
                    .isNull();
            assertEnds(0, 1);
        }
        byte[] number = HexFormat.of().parseHex("0000000007");
        assertThat(read(reader, "0002", new RecordHeaders().add("__value_schema_id", number)))
                .isNull();
        assertEnds(1, 0);
        assertThat(registry.asked()).hasSize(2);
        assertThat(read(reader, "0002", new RecordHeaders().add("__value_schema_id", new byte[3])))
                .contains("header __value_schema_id");
        assertThat(read(reader, "0002", new RecordHeaders().add("__key_schema_id", number)))
                .contains("names no schema");
    }

    @Test
    void apicurioNamesContentsAndGlobalIds() throws IOException {
        registry.answers().put("/apis/registry/v3/ids/contentIds/5", PAYER_FIRST);
        registry.answers().put("/apis/registry/v3/ids/globalIds/5", PAYEE_FIRST);
        registry.answers().put("/apis/registry/v2/ids/globalIds/6", PAYEE_FIRST);
        String url = registry.start();
        FieldReader reader = reader(url + "/apis/registry/v3", "", SchemaType.AVRO);
        byte[] five = ByteBuffer.allocate(8).putLong(5).array();
        assertThat(read(reader, "0002", new RecordHeaders().add("apicurio.value.contentId", five)))
                .isNull();
        assertEnds(0, 1);
        assertThat(read(reader, "0002", new RecordHeaders().add("apicurio.value.globalId", five)))
                .isNull();
        assertEnds(1, 0);
        assertThat(read(reader, "0000000005" + "0002")).isNull();
        assertEnds(0, 1);
        Headers inJson = new RecordHeaders()
                .add("apicurio.value.contentId", five)
                .add("apicurio.value.encoding", "JSON".getBytes(StandardCharsets.US_ASCII));
        assertThat(read(reader, "7b7d", inJson)).contains("Avro in JSON");
        assertThat(read(reader(url + "/apis/registry/v2", "", SchemaType.AVRO), "000000000000000006" + "0002"))
                .isNull();
        assertEnds(1, 0);
        assertThat(read(
                        reader(url, "", SchemaType.AVRO),
                        "0002",
                        new RecordHeaders().add("apicurio.value.globalId", five)))
                .contains("/apis/registry/v3");
    }

    @Test
    void anUnknownSchemaRejectsItsRecordsAndNoOthers() throws IOException {
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYER_FIRST, ""));
        registry.answers()
                .put(
                        "/schemas/ids/8",
                        AnsweringRegistry.json("message P { int64 payer = 1; }", ",\"schemaType\":\"PROTOBUF\""));
        registry.answers().put("/schemas/ids/10", AnsweringRegistry.json("{\"type\":\"recrod\"}", ""));
        FieldReader reader = reader(registry.start(), "", SchemaType.AVRO);
        for (int i = 0; i < 3; i++) {
            assertThat(read(reader, "0000000009" + "0204"))
                    .contains("the registry at http://", "does not have schema 9");
            assertThat(read(reader, "0000000007" + "0204")).isNull();
            assertThat(read(reader, "0000000008" + "0204"))
                    .isEqualTo("its schema is PROTOBUF, and --event-format asks for AVRO (schema 8)");
            assertThat(read(reader, "000000000a" + "0204"))
                    .startsWith("its schema cannot be used")
                    .endsWith("(schema 10)");
        }
        assertThat(registry.asked()).hasSize(4);
        assertThat(pauses).isEmpty();
    }

    @Test
    void recordsWaitWhileTheRegistryIsAway() throws IOException {
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYER_FIRST, ""));
        registry.failures().addAll(List.of(503, 404, 429, 401, 500, 502, 503, 200));
        FieldReader reader = reader(registry.start(), "", SchemaType.AVRO);
        assertThat(read(reader, "0000000007" + "0204")).isNull();
        assertEnds(1, 2);
        assertThat(pauses).containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
        stop();
        FieldReader nobody = new RegistryFieldReader(
                new RegistryEncoding(RegistryAddress.of("http://127.0.0.1:1", ""), SchemaType.AVRO, ""),
                false,
                tree,
                millis -> {
                    throw new InterruptedException();
                });
        assertThatThrownBy(() -> read(nobody, "0000000007" + "0204"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("interrupted while waiting for the schema registry at http://127.0.0.1:1");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void schemasMayUseOthers() throws IOException {
        registry.answers()
                .put(
                        "/schemas/ids/3",
                        AnsweringRegistry.json(
                                "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"payer\",\"type\":\"db.Id\"},{\"name\":\"payee\",\"type\":\"db.Id\"}]}",
                                ",\"references\":[{\"name\":\"db.Id\",\"subject\":\"ids/x\",\"version\":2}]"));
        registry.answers()
                .put(
                        "/subjects/ids%2Fx/versions/2",
                        AnsweringRegistry.json(
                                "{\"type\":\"fixed\",\"name\":\"Id\",\"namespace\":\"db\",\"size\":1,\"logicalType\":\"decimal\",\"precision\":2}",
                                ""));
        FieldReader reader = reader(registry.start(), "", SchemaType.AVRO);
        assertThat(read(reader, "0000000003" + "0109")).isNull();
        assertEnds(1, 9);
    }

    @Test
    void jsonIsReadBehindTheIdOfItsSchema() throws IOException {
        registry.answers()
                .put("/schemas/ids/7", AnsweringRegistry.json("{\"type\":\"object\"}", ",\"schemaType\":\"JSON\""));
        FieldReader reader = reader(registry.start(), "", SchemaType.JSON);
        String record = HexFormat.of().formatHex("{\"payer\":4,\"payee\":\"5\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(read(reader, "0000000007" + record)).isNull();
        assertEnds(4, 5);
    }

    @Test
    void credentialsAndKeysComeFromAFile(@TempDir Path folder) throws Exception {
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYER_FIRST, ""));
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "secret",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        String keys = "ssl.%s.type=PKCS12\nssl.%1$s.location=" + store + "\nssl.%1$s.password=secret\n";
        Path own =
                Files.writeString(folder.resolve("server"), keys.formatted("keystore") + "ssl.key.password=secret\n");
        HttpsServer secured = HttpsServer.create(AnsweringRegistry.anyPort(), 0);
        secured.setHttpsConfigurator(new HttpsConfigurator(TlsEngines.serverContext("--tls", own)));
        String url = "https://" + registry.start(secured);
        registry.require("Basic dTpw");
        Path file = folder.resolve("registry");
        Files.writeString(file, keys.formatted("truststore") + "basic.auth.user.info=u:p\n");
        assertThat(read(reader(url, file.toString(), SchemaType.AVRO), "0000000007" + "0204"))
                .isNull();
        registry.require("Bearer t0k");
        Files.writeString(file, keys.formatted("truststore") + "bearer.auth.token=t0k\n");
        assertThat(read(reader(url, file.toString(), SchemaType.AVRO), "0000000007" + "0204"))
                .isNull();
        assertThat(pauses).isEmpty();

        RegistryEncoding untrusted = new RegistryEncoding(RegistryAddress.of(url, ""), SchemaType.AVRO, "");
        assertThatThrownBy(() -> untrusted.schema("edges"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it does not answer");
        Files.writeString(file, keys.formatted("truststore") + "bearer.auth.token=wrong\n");
        assertThatThrownBy(() -> new RegistryEncoding(RegistryAddress.of(url, file.toString()), SchemaType.AVRO, "")
                        .schema("edges"))
                .hasMessageContaining("refuses the credentials (HTTP status 401)")
                .hasMessageNotContaining("wrong");
        Files.writeString(file, "basic.auth.user=u\n");
        assertThatThrownBy(() -> new RegistryEncoding(RegistryAddress.of(url, file.toString()), SchemaType.AVRO, "")
                        .schema("edges"))
                .hasMessageContaining("has basic.auth.user; it may have basic.auth.user.info");
    }

    @Test
    void fieldsAreCheckedAgainstTheNewestSchemaOfTheTopic() throws IOException {
        registry.answers()
                .put(
                        "/subjects/g-edges-value/versions/latest",
                        AnsweringRegistry.json(PAYER_FIRST, ",\"id\":7,\"version\":3"));
        registry.answers().put("/schemas/ids/7", AnsweringRegistry.json(PAYER_FIRST, ""));
        registry.answers().put("/schemas/ids/8", AnsweringRegistry.json(PAYER_FIRST.replace("payee", "to"), ""));
        Map<String, String> options = new HashMap<>(Map.of(
                "event-format", "avro", "schema-registry", registry.start(), "source", "payer", "target", "payeee"));
        RecordFormat misspelt = RecordFormatOptions.parse(options);
        assertThatThrownBy(() -> misspelt.check("g-edges"))
                .hasMessage("--target: the schema has no field payeee; the fields are payer (long), payee (long)");
        misspelt.check("unknown");
        options.put("target", "payee");
        RecordFormat format = RecordFormatOptions.parse(options);
        format.check("g-edges");
        EdgeBatch batch = new EdgeBatch();
        var decoder = format.decoder(null);
        decoder.decode(new ConsumerRecord<>("e", 0, 5, null, HexFormat.of().parseHex("0000000007" + "0204")), batch);
        decoder.decode(new ConsumerRecord<>("e", 0, 6, null, HexFormat.of().parseHex("0000000008" + "0204")), batch);
        assertThat(batch.size()).isEqualTo(1);
        assertThat(batch.rejected().get(0).reason()).isEqualTo("field payee is missing (schema 8)");
        assertThat(batch.rejected().get(0).offset()).isEqualTo(6);
        options.put("event-format", "debezium-avro");
        assertThatThrownBy(() -> RecordFormatOptions.parse(options).check("g-edges"))
                .hasMessageContaining("no field __op");
    }

    @Test
    void anAddressHasNoPasswordAndFitsTheFormat() {
        assertThatThrownBy(() -> RegistryAddress.of("https://u:secret@h", ""))
                .hasMessageContaining("--registry-properties")
                .hasMessageNotContaining("secret");
        for (String wrong : new String[] {"registry:8081", "ftp://h", "http://h?x=1", "http:// h", "http://"}) {
            assertThatThrownBy(() -> RegistryAddress.of(wrong, "")).hasMessageContaining("must be the URL");
        }
        Map<String, String> csv = Map.of("schema-registry", "http://h");
        assertThatThrownBy(() -> RecordFormatOptions.parse(csv)).hasMessageContaining("--schema-registry is for");
        Map<String, String> json = Map.of("event-format", "json", "schema-registry", "http://h");
        assertThatThrownBy(() -> RecordFormatOptions.parse(json)).hasMessageContaining("needs --source and --target");
        Map<String, String> file = Map.of(
                "event-format",
                "avro",
                "source",
                "a",
                "target",
                "b",
                "registry-properties",
                "f",
                "schema-registry",
                "http://h");
        assertThatThrownBy(() -> RecordFormatOptions.parse(file)).hasMessageContaining("must be an absolute path");
    }
}
