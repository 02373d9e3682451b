package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeRecordDecoderTest {
    private static final String REMOVAL = "{\"op\":\"remove\",\"src\":1,\"dst\":2}";

    private static EdgeBatch read(EdgeRecordDecoder decoder, byte[] value, byte @Nullable [] header) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("edges", 3, 17, null, value);
        if (header != null) {
            record.headers().add(EdgeEventFormat.HEADER, header);
        }
        EdgeBatch batch = new EdgeBatch();
        decoder.decode(record, batch);
        return batch;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void theHeaderWinsOverTheFormatOfTheJob(EdgeEventFormat format) {
        EdgeBatch edge = new EdgeBatch();
        edge.add(5, -7);
        byte[] value = format.encoder().encode(edge, 0, 1);
        for (EdgeEventFormat unnamed : EdgeEventFormat.values()) {
            EdgeBatch read = read(new EdgeRecordDecoder(new RecordFormat.Own(unnamed), null), value, format.header());
            assertThat(read.rejected()).isEmpty();
            assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(edge));
        }
    }

    @Test
    void aRecordWithoutTheHeaderIsInTheFormatOfTheJob() {
        assertThat(read(new EdgeRecordDecoder(new RecordFormat.Own(EdgeEventFormat.CSV), null), bytes("1 2"), null)
                        .size())
                .isEqualTo(1);
        assertThat(read(new EdgeRecordDecoder(new RecordFormat.Own(EdgeEventFormat.CSV), null), bytes(REMOVAL), null)
                        .rejected())
                .hasSize(1);
    }

    @Test
    void aRemovalIsRefusedInAnyFormatWhereRemovalsAre() {
        EdgeRecordDecoder decoder = new EdgeRecordDecoder(new RecordFormat.Own(EdgeEventFormat.CSV), "not here");
        assertThat(read(decoder, bytes(REMOVAL), EdgeEventFormat.JSON.header()).rejected())
                .extracting(RejectedRecord::reason)
                .containsExactly("not here");
    }

    @Test
    void aVertexIsRemovedOnlyWhereThatIsAccepted() {
        RecordFormat json = new RecordFormat.Own(EdgeEventFormat.JSON);
        byte[] removal = bytes("{\"op\":\"remove\",\"vertex\":-7}");
        EdgeBatch accepted = read(new EdgeRecordDecoder(json, null, true), removal, null);
        assertThat(accepted.rejected()).isEmpty();
        assertThat(accepted.isVertexRemoval(0)).isTrue();
        assertThat(accepted.isRemoval(0)).isTrue();
        assertThat(accepted.source(0)).isEqualTo(accepted.target(0)).isEqualTo(-7);
        EdgeBatch refused = read(new EdgeRecordDecoder(json, null), removal, null);
        assertThat(refused.isEmpty()).isTrue();
        assertThat(refused.hasRemovals()).isFalse();
        assertThat(refused.rejected())
                .singleElement()
                .satisfies(rejected -> assertThat(rejected.reason()).contains("--remove-vertices"));
        assertThat(read(new EdgeRecordDecoder(json, "not here", true), removal, null)
                        .rejected())
                .extracting(RejectedRecord::reason)
                .containsExactly("not here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"vertex\":7}",
                "{\"op\":\"add\",\"vertex\":7}",
                "{\"op\":\"remove\",\"vertex\":7,\"src\":1}",
                "{\"op\":\"remove\",\"vertex\":7,\"src\":1,\"dst\":2}",
                "{\"op\":\"remove\",\"vertex\":null}",
                "{\"op\":\"remove\",\"vertex\":9223372036854775808}",
            })
    void whatIsNoRemovalOfAVertexIsADeadLetter(String value) {
        RecordFormat json = new RecordFormat.Own(EdgeEventFormat.JSON);
        EdgeBatch batch = read(new EdgeRecordDecoder(json, null, true), bytes(value), null);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected())
                .singleElement()
                .satisfies(rejected -> assertThat(rejected.reason()).contains("vertex"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xml", "CSV", ""})
    void aHeaderThatNamesNoFormatIsADeadLetterWithItsReason(String header) {
        EdgeBatch batch = read(
                new EdgeRecordDecoder(new RecordFormat.Own(EdgeEventFormat.CSV), null), bytes("1 2"), bytes(header));
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.rejected()).singleElement().satisfies(rejected -> {
            assertThat(rejected.reason())
                    .isEqualTo("header cutwater-format must be csv, json, binary or batch: '%s'".formatted(header));
            assertThat(rejected.offset()).isEqualTo(17);
        });
    }
}
