package io.cutwater.deploy.page.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.kafka.reader.FollowedRecord;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A sample of the partition book against the whole book. */
class BookSampleTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void aSampleCountsARandomShareOfALargeBook() {
        BookSample whole = new BookSample(20_000);
        BookSample sample = new BookSample(1_000);
        for (int vertex = 0; vertex < 20_000; vertex++) {
            byte[] key = ByteBuffer.allocate(8).putLong(vertex).array();
            byte[] value = {1, 0, 0, (byte) (1 + vertex % 7), 2, 0, 1}; // on partitions 0 and 1
            for (BookSample book : new BookSample[] {whole, sample}) {
                book.accept(new FollowedRecord("book", 0, vertex, 0, key, value, Map.of()));
            }
        }
        assertThat(whole.isWhole()).isTrue();
        assertThat(sample.isWhole()).isFalse();
        double expected = 0;
        for (int degree = 1; degree <= 7; degree++) {
            expected += 4 * (1 - Math.pow(0.75, degree)) / 7;
        }
        assertThat(whole.randomReplicationFactor(4)).isCloseTo(expected, within(1e-3));
        assertThat(sample.randomReplicationFactor(4)).isCloseTo(expected, within(0.1));
        JsonNode counted = sample.copies(4, JSON.createObjectNode());
        assertThat(counted.path("vertices").asInt()).isBetween(400, 1_000);
        assertThat(counted.path("vertices").asInt() / counted.path("share").doubleValue())
                .isCloseTo(20_000, within(2_500.0));
    }
}
