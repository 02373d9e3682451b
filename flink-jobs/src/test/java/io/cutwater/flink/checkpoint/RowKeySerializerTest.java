package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowKeySerializerTest {
    /** What is in checkpoints must stay readable. */
    @ParameterizedTest
    @CsvSource({
        "0, true, 01",
        "0, false, 00",
        "1, true, 0301",
        "-1, false, 02FF",
        "127, true, 037F",
        "128, false, 040080",
        "-129, true, 05FF7F",
        "1000000, false, 060F4240",
        "9223372036854775807, true, 117FFFFFFFFFFFFFFF",
        "-9223372036854775808, false, 108000000000000000"
    })
    void writesTheNeighbourInAsFewBytesAsItNeeds(long neighbour, boolean isOutgoing, String bytes) throws IOException {
        RowKey key = new RowKey(neighbour, isOutgoing);
        assertThat(bytes(key)).asHexString().isEqualTo(bytes);
        assertThat(RowKeySerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes(key))))
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 255, 1L << 31, 1L << 55, -1L << 55, Long.MIN_VALUE, Long.MAX_VALUE})
    void readsAndCopiesWhatItWrites(long neighbour) throws IOException {
        for (boolean isOutgoing : new boolean[] {true, false}) {
            RowKey key = new RowKey(neighbour, isOutgoing);
            DataOutputSerializer copy = new DataOutputSerializer(16);
            RowKeySerializer.INSTANCE.copy(new DataInputDeserializer(bytes(key)), copy);
            assertThat(copy.getCopyOfBuffer()).isEqualTo(bytes(key));
            assertThat(RowKeySerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes(key))))
                    .isEqualTo(key);
        }
    }

    private static byte[] bytes(RowKey key) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        RowKeySerializer.INSTANCE.serialize(key, out);
        return out.getCopyOfBuffer();
    }
}
