package io.cutwater.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RandomEdges;
import io.cutwater.kafka.run.CommitMark;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessageCodec;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of all topics as earlier builds wrote them, kept in the test resources {@code golden/VERSION/records.txt}:
 * this build reads the same from them. A line has a name, key and value in hexadecimal digits, and what they say.
 */
class GoldenRecordsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A record that this build writes. */
    private record Written(byte[] key, byte[] value) {}

    @ParameterizedTest
    @ValueSource(strings = "v1")
    void recordsOfEarlierBuildsSayTheSame(String version) throws IOException {
        String resource = "/golden/%s/records.txt".formatted(version);
        try (InputStream in = Objects.requireNonNull(GoldenRecordsTest.class.getResourceAsStream(resource), resource)) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(lines).hasSizeGreaterThanOrEqualTo(written().size());
            for (String line : lines) {
                String[] fields = line.split("\t", -1);
                assertThat(says(fields[0], HEX.parseHex(fields[1]), HEX.parseHex(fields[2])))
                        .as(fields[0])
                        .isEqualTo(fields[3]);
            }
        }
    }

    /** Writes the records of this build; {@code golden/README.md} of the test resources has the command. */
    @Test
    @Tag("writes-golden-files")
    void writesTheRecordsOfThisBuild() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, Written> entry : written().entrySet()) {
            Written record = entry.getValue();
            lines.add(String.join(
                    "\t",
                    entry.getKey(),
                    HEX.formatHex(record.key),
                    HEX.formatHex(record.value),
                    says(entry.getKey(), record.key, record.value)));
        }
        Path folder = Files.createDirectories(Path.of(System.getProperty("golden.write")));
        Files.write(folder.resolve("records.txt"), lines);
    }

    private static String says(String name, byte[] key, byte[] value) throws IOException {
        return switch (name.substring(0, name.indexOf('/'))) {
            case "edges" -> edges(name, value);
            case "shards" -> ShardRecordCodec.shard(key) + ": " + shard(value);
            case "partition-book" -> new PartitionBookCodec().decode(key, value).toString();
            case "ids" ->
                VertexTextCodec.vertex(key) + ": " + new String(VertexTextCodec.text(value), StandardCharsets.UTF_8);
            case "vertices" -> vertex(new VertexRecordCodec().decode(key, value));
            case "vertex-updates" -> update(VertexUpdateCodec.decode(value));
            case "models" -> model(new ModelMessageCodec().decode(value).orElseThrow());
            case "commits" -> kept(value, CommitMark.read(value).toBytes());
            case "plans" -> kept(value, RepartitionStatusJson.toBytes(RepartitionStatusJson.read(value)));
            case "commands" -> kept(value, JobCommandJson.toBytes(JobCommandJson.read(value)));
            case "quality" -> kept(value, ReportJson.toBytes(ReportJson.read(value)));
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Returns the written fields that survive reading and writing again; this build may add keys. */
    private static String kept(byte[] value, byte[] again) throws IOException {
        ObjectNode before = (ObjectNode) JSON.readTree(value);
        JsonNode now = JSON.readTree(again);
        ObjectNode kept = JSON.createObjectNode();
        before.properties().forEach(key -> kept.set(key.getKey(), now.get(key.getKey())));
        return kept.toString();
    }

    private static String edges(String name, byte[] value) {
        EdgeBatch batch = new EdgeBatch();
        EdgeEventFormat.of(name.substring(name.indexOf('/') + 1))
                .decoder()
                .decode(new ConsumerRecord<>("edges", 0, 0, null, value), batch);
        return RandomEdges.edges(batch) + " rejected: " + batch.rejected();
    }

    private static String shard(byte[] value) {
        if (ShardVertexCodec.tellsOfVertices(value)) {
            List<String> said = new ArrayList<>();
            ShardVertexCodec.decode(value, new ShardVertexCodec.Handler() {
                @Override
                public void data(VertexRecord vertex) {
                    said.add(GoldenRecordsTest.vertex(vertex));
                }

                @Override
                public void gone(long vertex) {
                    said.add("gone " + vertex);
                }
            });
            return said.toString();
        }
        EdgeBatch batch = new EdgeBatch();
        ShardRecordCodec.Header header = ShardRecordCodec.decode(value, batch);
        StringBuilder said = new StringBuilder(
                "%s generation %d %s".formatted(header.kind(), header.generation(), RandomEdges.edges(batch)));
        for (int i = 0; i < batch.size() && header.kind().hasOwners(); i++) {
            said.append(' ').append(Place.ofSource(batch.place(i))).append('-').append(Place.ofTarget(batch.place(i)));
        }
        return said.toString();
    }

    private static String vertex(VertexRecord vertex) {
        return vertex + " " + Arrays.toString(vertex.features().toArray());
    }

    private static String update(VertexUpdate update) {
        VertexBatch added = update.added();
        StringBuilder said = new StringBuilder("run %d, assigner %d, lineage %d, bucket %d, sequence %d"
                .formatted(update.run(), update.assigner(), update.lineage(), update.bucket(), update.sequence()));
        for (int i = 0; i < added.size(); i++) {
            int[] replicas = Arrays.copyOfRange(added.replicas(), added.replicasFrom(i), added.replicasFrom(i + 1));
            said.append(", vertex %d master %d on %s"
                    .formatted(added.vertex(i), added.master(i), Arrays.toString(replicas)));
        }
        return said.toString();
    }

    private static String model(ModelMessage message) {
        // The golden records have the name that earlier builds gave this kind.
        String kind = message.kind() == ModelMessage.Kind.ACCURACY_COUNTS
                ? "TALLY"
                : message.kind().name();
        return "%s of %s, run %d, round %d, shard %d, weight %d, %s"
                .formatted(
                        kind,
                        message.sender(),
                        message.run(),
                        message.round(),
                        message.shard(),
                        message.weight(),
                        HEX.formatHex(message.body()));
    }

    private static Map<String, Written> written() {
        Map<String, Written> records = new TreeMap<>();
        byte[] noKey = {};
        EdgeBatch batch = edges();
        for (EdgeEventFormat format : EdgeEventFormat.values()) {
            int to = format.holdsManyEdges() ? batch.size() : 1;
            EdgeBatch plain = format == EdgeEventFormat.BINARY ? plain() : batch;
            records.put("edges/" + format, new Written(noKey, format.encoder().encode(plain, 0, to)));
        }
        for (Kind kind : Kind.values()) {
            records.put(
                    "shards/" + kind,
                    new Written(
                            ShardRecordCodec.key(5), ShardRecordCodec.encode(kind, 3, owned(kind.hasOwners()), 0, 2)));
        }
        byte[] known = VertexRecordCodec.value(new float[] {0.5f, -2}, 2, 7, VertexSplit.VAL);
        byte[] sparse = VertexRecordCodec.value(new float[] {0, 0, 0, 0, 0, 0, 0, 3}, 8, -1, VertexSplit.NONE);
        long[] vertices = {-9, 1L << 40};
        records.put(
                "shards/DATA",
                new Written(ShardRecordCodec.key(5), ShardVertexCodec.data(vertices, List.of(known, sparse))));
        records.put("shards/GONE", new Written(ShardRecordCodec.key(5), ShardVertexCodec.gone(vertices, 2)));
        records.put("vertices/dense", new Written(VertexRecordCodec.key(-9), known));
        records.put("vertices/sparse", new Written(VertexRecordCodec.key(4), sparse));
        PartitionBookCodec book = new PartitionBookCodec();
        VertexBatch replicas = replicas(300);
        records.put("partition-book/entry", new Written(book.key(replicas, 0), book.value(replicas, 0)));
        byte[] text = "user:ü".getBytes(StandardCharsets.UTF_8);
        records.put("ids/text", new Written(VertexTextCodec.key(-9), VertexTextCodec.value(text, 0, text.length)));
        VertexUpdate update = new VertexUpdate(1L << 50, 3, 42, 7, 11, replicas(0));
        records.put(
                "vertex-updates/update", new Written(VertexUpdateCodec.key(update), VertexUpdateCodec.encode(update)));
        for (ModelMessage.Kind kind : ModelMessage.Kind.values()) {
            ModelMessage message = new ModelMessage(kind, 2, 3, 4, 5, "worker-1", new byte[] {10, 11, -1});
            records.put(
                    "models/" + kind,
                    new Written(noKey, ModelMessageCodec.encode(message).get(0)));
        }
        putJson(records);
        return records;
    }

    private static void putJson(Map<String, Written> records) {
        byte[] noKey = {};
        RepartitionStatus status = RepartitionStatus.collecting("a", 2, 4, 6, 0.25, Map.of("replicationFactor", 1.5))
                .withPlan(600, 40, Map.of("replicationFactor", 1.25))
                .moving(3)
                .moved(20);
        CommitMark mark = new CommitMark(17, 2, 4);
        records.put("commits/mark", new Written(mark.key(), mark.toBytes()));
        records.put("plans/moving", new Written(noKey, RepartitionStatusJson.toBytes(status)));
        records.put(
                "plans/refused",
                new Written(
                        noKey,
                        RepartitionStatusJson.toBytes(RepartitionStatus.refused("b", 2, 4, "another one runs"))));
        records.put(
                "commands/repartition",
                new Written(noKey, JobCommandJson.toBytes(new JobCommand.Repartition("a", 6, 0.05, 20_000, true))));
        records.put("commands/abort", new Written(noKey, JobCommandJson.toBytes(new JobCommand.Abort("c"))));
        Quality quality =
                Quality.ofEdges(2, 4, 8, 1, List.of(new PartitionQuality(0, 3, 6), new PartitionQuality(1, 2, 2)));
        records.put(
                "quality/edge",
                new Written(
                        noKey,
                        ReportJson.toBytes(new RunReport("hdrf", 16, quality, 1.5, 1 << 20).withUnknownRemovals(3))));
    }

    private static EdgeBatch edges() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, -2, 0.5, 1_700_000_000_000L);
        batch.add(Long.MIN_VALUE, Long.MAX_VALUE);
        batch.add(7, 7);
        batch.setRemoval(2);
        return batch;
    }

    private static EdgeBatch plain() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(Long.MIN_VALUE, 258);
        return batch;
    }

    private static EdgeBatch owned(boolean hasOwners) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, -2, 0.5, 1_700_000_000_000L);
        batch.add(3, 4);
        if (hasOwners) {
            batch.setPlace(0, Place.of(5, 4095));
            batch.setPlace(1, Place.of(0, 5));
        }
        return batch;
    }

    private static VertexBatch replicas(long degree) {
        VertexBatch batch = new VertexBatch();
        batch.add(-2, degree, 3);
        batch.addReplica(0);
        batch.addReplica(3);
        batch.addReplica(4095);
        return batch;
    }
}
