package io.cutwater.kafka.textid;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.edges.KnownTexts;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.text.CheckCache;
import io.cutwater.state.text.VertexTexts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records with text ids in all formats, malformed ones, and what becomes of collisions. */
final class TextIdsTest {
    private static final String AVRO =
            "{\"type\":\"record\",\"name\":\"P\",\"fields\":[{\"name\":\"a\",\"type\":\"string\"},{\"name\":\"b\",\"type\":[\"null\",\"string\",\"long\"]}]}";

    private static RecordFormat format(String event, String... more) {
        Map<String, String> options = new HashMap<>(Map.of("event-format", event, "ids", "text", "ids-seed", "5"));
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return RecordFormatOptions.parse(options);
    }

    private static RecordFormat mapped(String event, String prefix, String... more) {
        String[] all = Arrays.copyOf(more, more.length + 4);
        IntStream.range(0, 4)
                .forEach(i -> all[more.length + i] =
                        List.of("source", prefix + "a", "target", prefix + "b").get(i));
        return format(event, all);
    }

    private static EdgeBatch decode(RecordFormat format, byte[] value) {
        EdgeBatch batch = new EdgeBatch();
        new EdgeRecordDecoder(format, null).decode(new ConsumerRecord<>("p", 0, 17, null, value), batch);
        return batch;
    }

    private static EdgeBatch decode(RecordFormat format, String value) {
        return decode(format, value.getBytes(UTF_8));
    }

    private static byte[] avro(byte[] source, byte[] target) {
        return ByteBuffer.allocate(3 + source.length + target.length)
                .put((byte) (source.length << 1))
                .put(source)
                .put((byte) 2)
                .put((byte) (target.length << 1))
                .put(target)
                .array();
    }

    private static List<String> texts(EdgeBatch batch) {
        VertexTexts texts = batch.texts();
        return IntStream.range(0, texts.size())
                .mapToObj(i -> texts.id(i) + " "
                        + new String(texts.bytes(), texts.from(i), texts.to(i) - texts.from(i), UTF_8))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"'',0,2D06800538D394C2", "a,0,E6C632B61E964E1F", "abc,0,78AF5F94892F3950"})
    void theIdIsXxh3WhichOtherLanguagesHaveToo(String text, long seed, String hash) {
        byte[] bytes = text.getBytes(UTF_8);
        assertThat(TextHash.of(seed).id(bytes)).isEqualTo(Long.parseUnsignedLong(hash, 16));
        assertThat(TextHash.of(seed + 1).id(bytes)).isNotEqualTo(Long.parseUnsignedLong(hash, 16));
    }

    @Test
    void aTextHasTheSameIdInEveryFormatAndANumberThatOfItsDigits() {
        byte[] user = "user:ü".getBytes(UTF_8);
        TextHash hash = TextHash.of(5);
        long from = hash.id(user);
        long to = hash.id("17".getBytes(UTF_8));
        List<EdgeBatch> batches = List.of(
                decode(format("csv"), "user:ü,17"),
                decode(format("csv"), "user:ü\t17\t0.5"),
                decode(format("json"), "{\"src\":\"user:ü\",\"dst\":17}"),
                decode(mapped("json", "x."), "{\"x\":{\"a\":\"user:\\u00fc\",\"b\":\"17\"}}"),
                decode(mapped("avro", "", "avro-schema", AVRO), avro(user, "17".getBytes(UTF_8))),
                decode(mapped("debezium-json", "after."), "{\"op\":\"c\",\"after\":{\"a\":\"user:ü\",\"b\":17}}"));
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.rejected()).isEmpty();
            assertThat(batch.source(0)).isEqualTo(from);
            assertThat(batch.target(0)).isEqualTo(to);
            assertThat(texts(batch)).containsExactly(from + " user:ü", to + " 17");
        });
    }

    @Test
    void aChangeRemovesTheEdgeBetweenTheOldTexts() {
        RecordFormat changes = mapped("debezium-json", "after.");
        EdgeBatch moved = decode(
                changes, "{\"op\":\"u\",\"before\":{\"a\":\"x\",\"b\":\"y\"},\"after\":{\"a\":\"x\",\"b\":\"z\"}}");
        assertThat(moved.size()).isEqualTo(2);
        assertThat(moved.isRemoval(0)).isTrue();
        assertThat(moved.source(0)).isEqualTo(moved.source(1));
        assertThat(moved.target(0)).isNotEqualTo(moved.target(1));
        EdgeBatch same = decode(
                changes, "{\"op\":\"u\",\"before\":{\"a\":\"x\",\"b\":\"y\"},\"after\":{\"a\":\"x\",\"b\":\"y\"}}");
        assertThat(same.isEmpty()).isTrue();
    }

    @Test
    void textsOfARefusedRemovalAreToldAllTheSame() {
        EdgeRecordDecoder decoder = new EdgeRecordDecoder(mapped("debezium-json", "after."), "not here");
        EdgeBatch batch = new EdgeBatch();
        for (String event : List.of("d\",\"before\"", "c\",\"after\"")) {
            byte[] value =
                    "{\"op\":\"%s:{\"a\":\"x\",\"b\":\"y\"}}".formatted(event).getBytes(UTF_8);
            decoder.decode(new ConsumerRecord<>("p", 0, 17, null, value), batch);
        }
        assertThat(batch.size()).isEqualTo(1);
        assertThat(batch.rejected()).hasSize(1);
        assertThat(texts(batch)).hasSize(2);
    }

    @Test
    void theRemovalOfAVertexNamesItsTextAndMakesItNewAgain() {
        EdgeRecordDecoder decoder = new EdgeRecordDecoder(format("json"), null, true);
        EdgeBatch batch = new EdgeBatch();
        for (String record : List.of(
                "{'src':'x','dst':'y'}",
                "{'op':'remove','vertex':'x'}",
                "{'src':'x','dst':'y'}",
                "{'op':'remove','vertex':''}",
                "{'op':'remove','vertex':true}",
                "{'vertex':'x'}")) {
            byte[] value = record.replace('\'', '"').getBytes(UTF_8);
            decoder.decode(new ConsumerRecord<>("p", 2, 17 + batch.size(), null, value), batch);
        }
        assertThat(batch.rejected()).hasSize(3);
        assertThat(batch.size()).isEqualTo(3);
        assertThat(batch.isVertexRemoval(1)).isTrue();
        assertThat(batch.source(1)).isEqualTo(batch.source(0)).isEqualTo(batch.target(1));
        assertThat(texts(batch))
                .containsExactly(batch.source(0) + " x", batch.target(0) + " y", batch.source(0) + " x");
        assertThat(IntStream.range(0, 3).mapToLong(batch.texts().records()::offsetOf))
                .containsExactly(17L, 18L, 19L);
        assertThat(batch.texts().records().partitionOf(2)).isEqualTo(2);
        assertThat(batch.texts().records().size()).isEqualTo(1);
    }

    @Test
    void rowsKnowTheirRecordsAlsoIfARecordHasNoneOrTwo() {
        SplittableRandom random = new SplittableRandom(9);
        EdgeBatch all = new EdgeBatch();
        List<String> expected = new ArrayList<>();
        EdgeBatch one = new EdgeBatch();
        long[] offsets = new long[3];
        for (int record = 0; record < 500; record++) {
            int partition = random.nextInt(20) == 0 ? random.nextInt(3) : record / 100 % 3;
            offsets[partition] += random.nextInt(10) == 0 ? 2 : 1;
            one.clear();
            int rows = random.nextInt(10) == 0 ? random.nextInt(3) : 1;
            for (int row = 0; row < rows; row++) {
                one.add(1, 2);
                one.texts().records().begin(row, partition, offsets[partition]);
                expected.add(partition + " " + offsets[partition]);
            }
            all.addAll(one);
        }
        var records = all.texts().records();
        assertThat(IntStream.range(0, all.size())
                        .mapToObj(row -> records.partitionOf(row) + " " + records.offsetOf(row)))
                .isEqualTo(expected);
        assertThat(records.size()).isLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"\",\"b\":\"x\"}|field a is empty",
                "{\"a\":null,\"b\":\"x\"}|field a is null",
                "{\"b\":\"x\"}|field a is missing",
                "{\"a\":1.5,\"b\":\"x\"}|field a is neither text nor a 64-bit integer",
                "{\"a\":\"x\",\"b\":{}}|field b is neither text nor a 64-bit integer",
                "{\"a\":\"x\",\"b\":\"\\ud800\"}|field b is not valid UTF-8",
                "{\"a\":\"x\",\"b\":\"\\ufffd\"}|field b is not valid UTF-8",
            })
    void malformedTextsAreDeadLetters(String recordAndReason) {
        int bar = recordAndReason.indexOf('|');
        EdgeBatch batch = decode(mapped("json", ""), recordAndReason.substring(0, bar));
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.texts().size()).isZero();
        assertThat(batch.rejected())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).contains(recordAndReason.substring(bar + 1)));
        String own =
                recordAndReason.substring(0, bar).replace("\"a\"", "\"src\"").replace("\"b\"", "\"dst\"");
        assertThat(decode(format("json"), own).rejected()).hasSize(1);
    }

    @Test
    void longTextsAndInvalidBytesAreDeadLetters() {
        String megabyte = "x".repeat(1 << 20);
        byte[] invalid = {'u', (byte) 0xC3, '('};
        List<EdgeBatch> batches = List.of(
                decode(format("csv"), megabyte + ",a"),
                decode(format("json"), "{\"src\":\"a\",\"dst\":\"%s\"}".formatted(megabyte)),
                decode(mapped("json", ""), "{\"a\":\"a\",\"b\":\"%s\"}".formatted("ü".repeat(3000))),
                decode(mapped("avro", "", "avro-schema", AVRO), avro(invalid, invalid)),
                decode(
                        format("csv"),
                        ByteBuffer.allocate(5)
                                .put(invalid)
                                .put((byte) ',')
                                .put((byte) 'x')
                                .array()),
                decode(format("json"), new byte[] {'{', '"', 's', 'r', 'c', '"', ':', '"', (byte) 0xC3, '"', '}'}));
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch.isEmpty()).isTrue();
            assertThat(batch.rejected())
                    .singleElement()
                    .satisfies(letter ->
                            assertThat(letter.reason()).containsAnyOf("is text of more than 4096 bytes", "UTF-8"));
        });
        assertThat(decode(format("csv"), "x".repeat(4096) + ",a").rejected()).isEmpty();
    }

    @Test
    void formatsOfIntegersAreRefused() {
        assertThatThrownBy(() -> format("binary"))
                .hasMessageContaining("--ids text is for formats that hold text, and --event-format binary");
        assertThatThrownBy(() -> RecordFormatOptions.parse(Map.of("ids-seed", "5")))
                .hasMessageContaining("--ids-seed needs --ids text");
        assertThatThrownBy(() -> format("csv", "ids", "words")).hasMessageContaining("--ids must be integer or text");
        EdgeBatch batch = new EdgeBatch();
        ConsumerRecord<byte[], byte[]> named = new ConsumerRecord<>("p", 0, 17, null, new byte[16]);
        named.headers().add(EdgeEventFormat.HEADER, "binary".getBytes(UTF_8));
        new EdgeRecordDecoder(format("csv"), null).decode(named, batch);
        assertThat(batch.rejected())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason())
                        .isEqualTo("the record is in format binary, which holds integers, and the job has --ids text"));
    }

    /** Hashes with few bits, so that texts collide; the second one is exact. */
    private static final class FewBits implements TextHash {
        @Override
        public long id(byte[] text, int from, int length) {
            return TextHash.of(1).id(text, from, length) & 0x1F;
        }

        @Override
        public long check(byte[] text, int from, int length) {
            return TextHash.of(1).check(text, from, length);
        }
    }

    private static final class MapStore implements VertexStore {
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

    /** Against a map from ids to the first text of each; both caches forget, attempts end, and vertices are removed. */
    @ParameterizedTest
    @CsvSource({"0, false", "8, false", "8, true"})
    void theFirstTextOfAnIdHasItAndEdgesOfOthersAreRejected(int removalOnceIn, boolean haveKeys) {
        SplittableRandom random = new SplittableRandom(4);
        FewBits hash = new FewBits();
        MapStore store = new MapStore();
        Map<Long, String> owners = new HashMap<>();
        Map<Long, String> told = new HashMap<>();
        int rejected = 0;
        for (int attempt = 0; attempt < 20; attempt++) {
            RecordFormat.Texts json =
                    new RecordFormat.Texts(new RecordFormat.Own(EdgeEventFormat.JSON, haveKeys), new TextIds(1));
            var decoder = json.decoder(null, new TextEnds(hash, new CheckCache(3)));
            KnownTexts known = new KnownTexts(store, "edges", 2);
            for (int b = 0; b < 30; b++) {
                List<String> expected = new ArrayList<>();
                EdgeBatch batch = new EdgeBatch();
                for (int rows = random.nextInt(12); rows > 0; rows--) {
                    String source = "v" + random.nextInt(40);
                    String target = "v" + random.nextInt(40);
                    EdgeBatch one = new EdgeBatch();
                    boolean isRemoval = removalOnceIn > 0 && random.nextInt(removalOnceIn) == 0;
                    byte[] value = (isRemoval
                                    ? "{\"op\":\"remove\",\"vertex\":\"%s\"}".formatted(source)
                                    : "{\"src\":\"%s\",\"dst\":\"%s\",\"key\":%d}".formatted(source, target, rows))
                            .getBytes(UTF_8);
                    decoder.decode(new ConsumerRecord<>("edges", 0, 0, null, value), one);
                    batch.addAll(one);
                    if (isRemoval) {
                        long id = hash.id(source.getBytes(UTF_8));
                        String owner = owners.getOrDefault(id, source);
                        if (owner.equals(source)) {
                            owners.remove(id);
                            expected.add(id + " " + id + " true");
                        }
                        continue;
                    }
                    boolean isSourceRight = owns(owners, hash, source);
                    boolean isTargetRight = owns(owners, hash, target);
                    if (isSourceRight && isTargetRight) {
                        expected.add(
                                hash.id(source.getBytes(UTF_8)) + " " + hash.id(target.getBytes(UTF_8)) + " false");
                    }
                }
                EdgeBatch applied = known.apply(batch, new EdgeBatch());
                rejected += applied.rejected().size();
                VertexTexts texts = applied.texts();
                for (int i = 0; i < texts.size(); i++) {
                    String text = new String(texts.bytes(), texts.from(i), texts.to(i) - texts.from(i), UTF_8);
                    if (text.isEmpty()) {
                        assertThat(told.remove(texts.id(i))).isNotNull();
                    } else {
                        assertThat(told.put(texts.id(i), text)).isNull();
                    }
                }
                assertThat(IntStream.range(0, applied.size())
                                .mapToObj(i ->
                                        applied.source(i) + " " + applied.target(i) + " " + applied.isVertexRemoval(i)))
                        .isEqualTo(expected);
                assertThat(told).isEqualTo(owners);
            }
        }
        assertThat(rejected).isPositive();
    }

    private static boolean owns(Map<Long, String> owners, TextHash hash, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        long id = hash.id(bytes);
        owners.putIfAbsent(id, text);
        return text.equals(owners.get(id));
    }
}
