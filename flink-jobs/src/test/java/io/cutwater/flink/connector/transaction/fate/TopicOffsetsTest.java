package io.cutwater.flink.connector.transaction.fate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicOffsetsTest {
    @Test
    void readsTheOffsetsThatItWrote() throws Exception {
        TopicOffsets offsets = new TopicOffsets();
        List<Long> written = List.of(3L, 4L, 5L, 9L, 10L, 12L);
        written.forEach(offset -> offsets.add("shards", 2, offset));
        offsets.add("shards", 0, 1L << 40);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        offsets.write(new DataOutputStream(bytes));

        OffsetRanges shards = TopicOffsets.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())))
                .byTopic()
                .get("shards");

        assertThat(shards.begins()).isEqualTo(Map.of(0, 1L << 40, 2, 3L));
        assertThat(shards.ends()).isEqualTo(Map.of(0, (1L << 40) + 1, 2, 13L));
        for (long offset = 0; offset < 15; offset++) {
            assertThat(shards.contains(2, offset)).as("offset " + offset).isEqualTo(written.contains(offset));
        }
        assertThat(shards.contains(1, 3)).isFalse();
        assertThat(shards.contains(7, 3)).isFalse();
    }
}
