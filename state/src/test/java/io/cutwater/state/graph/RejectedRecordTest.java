package io.cutwater.state.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class RejectedRecordTest {
    @Test
    void everyPartIsBoundedAndTheWholeValueIsKnownByItsLengthAndHash() {
        byte[] big = new byte[3 << 20];
        RejectedRecord record = new RejectedRecord("r".repeat(1 << 20), "o".repeat(1 << 20), 0, 1, big, big);
        assertThat(record.reason()).hasSize(RejectedRecord.MAX_REASON_CHARS).endsWith("r…");
        assertThat(record.origin()).hasSize(RejectedRecord.MAX_ORIGIN_CHARS);
        assertThat(record.key()).hasSize(RejectedRecord.MAX_KEY_BYTES);
        assertThat(record.value()).hasSize(RejectedRecord.MAX_VALUE_BYTES);
        assertThat(record.valueLength()).isEqualTo(3 << 20);
        assertThat(record.isWhole()).isFalse();
        byte[] other = big.clone();
        other[big.length - 1] = 1;
        assertThat(new RejectedRecord("", "", 0, 1, null, other).valueSha256()).isNotEqualTo(record.valueSha256());
    }

    @Test
    void textEndsWithAWholeCharacter() {
        byte[] text = ("x" + "€".repeat(30_000)).getBytes(StandardCharsets.UTF_8);
        byte[] cut = new RejectedRecord("", "", 0, 1, null, text).value();
        assertThat(new String(cut, StandardCharsets.UTF_8)).isEqualTo("x" + "€".repeat((cut.length - 1) / 3));
        assertThat(cut.length).isBetween(RejectedRecord.MAX_VALUE_BYTES - 2, RejectedRecord.MAX_VALUE_BYTES);
    }

    @Test
    void aRecordThatFitsIsWhole() {
        byte[] value = {1, 2};
        RejectedRecord record = new RejectedRecord("why", "edges", 0, 1, value, value);
        assertThat(record.isWhole()).isTrue();
        assertThat(record.value()).isSameAs(value);
        assertThat(record.key()).isSameAs(value);
    }
}
