package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RowKeySerializerTest {
    /** Checks that keys of existing checkpoints stay readable. */
    @ParameterizedTest
    @CsvSource({
        "0, true, 0, 01",
        "0, false, 0, 00",
        "1, true, 0, 0301",
        "-1, false, 0, 02FF",
        "127, true, 0, 037F",
        "128, false, 0, 040080",
        "-129, true, 0, 05FF7F",
        "1000000, false, 0, 060F4240",
        "9223372036854775807, true, 0, 117FFFFFFFFFFFFFFF",
        "-9223372036854775808, false, 0, 108000000000000000",
        "0, true, 1, 2100000001",
        "128, false, 258, 24008000000102"
    })
    void writesTheNeighbourInAsFewBytesAsItNeeds(long neighbour, boolean isOutgoing, int number, String bytes)
            throws IOException {
        RowKey key = new RowKey(neighbour, isOutgoing, number);
        assertThat(bytes(key)).asHexString().isEqualTo(bytes);
        assertThat(RowKeySerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes(key))))
                .isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 255, 1L << 31, 1L << 55, -1L << 55, Long.MIN_VALUE, Long.MAX_VALUE})
    void readsAndCopiesWhatItWrites(long neighbour) throws IOException {
        for (boolean isOutgoing : new boolean[] {true, false}) {
            RowKey key = new RowKey(neighbour, isOutgoing, isOutgoing ? 0 : 77);
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
