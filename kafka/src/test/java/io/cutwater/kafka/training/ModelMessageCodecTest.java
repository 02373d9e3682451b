package io.cutwater.kafka.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.training.ModelMessage.Kind;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelMessageCodecTest {
    private static ModelMessage message(String sender, int bytes) {
        byte[] body = new byte[bytes];
        new SplittableRandom(bytes).nextBytes(body);
        return new ModelMessage(Kind.UPDATE, 1L << 40, 7, 3, 1_000_000_007L, sender, body);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {0, 1, (512 << 10) - 1, 512 << 10, (512 << 10) + 1, 3_000_000})
    void comesBackFromItsPieces(int bytes) {
        ModelMessage message = message("wörker-1", bytes);
        List<byte[]> records = ModelMessageCodec.encode(message);
        assertThat(records).hasSize(Math.max(1, (bytes + (512 << 10) - 1) / (512 << 10)));
        ModelMessageCodec codec = new ModelMessageCodec();
        for (byte[] record : records.subList(0, records.size() - 1)) {
            assertThat(codec.decode(record)).isEmpty();
        }
        assertThat(codec.decode(records.get(records.size() - 1))).contains(message);
    }

    @Test
    void piecesOfSeveralSendersMayBeMixed() {
        List<byte[]> first = ModelMessageCodec.encode(message("a", 1_000_000));
        List<byte[]> second = ModelMessageCodec.encode(message("b", 1_000_000));
        ModelMessageCodec codec = new ModelMessageCodec();
        assertThat(codec.decode(first.get(0))).isEmpty();
        assertThat(codec.decode(second.get(0))).isEmpty();
        assertThat(codec.decode(first.get(1))).contains(message("a", 1_000_000));
        assertThat(codec.decode(second.get(1))).contains(message("b", 1_000_000));
    }

    @Test
    void whoeverBeginsInTheMiddlePassesOverTheRest() {
        List<byte[]> records = ModelMessageCodec.encode(message("a", 1_500_000));
        ModelMessageCodec codec = new ModelMessageCodec();
        assertThat(codec.decode(records.get(1))).isEmpty();
        assertThat(codec.decode(records.get(2))).isEmpty();
        records.subList(0, 2).forEach(codec::decode);
        assertThat(codec.decode(records.get(2))).isPresent();
    }

    /** The bytes that version 1 writes; a later version must read them. */
    @Test
    void version1StaysReadable() {
        byte[] record = HexFormat.of()
                .parseHex("01" + "05" + "0000000000000002" + "00000003" + "00000004" + "0000000000000005" + "00000000"
                        + "00000001" + "0001" + "77" + "0a0b");
        ModelMessage message = new ModelMessage(Kind.ACCURACY_COUNTS, 2, 3, 4, 5, "w", new byte[] {10, 11});
        assertThat(new ModelMessageCodec().decode(record)).contains(message);
        assertThat(ModelMessageCodec.encode(message)).containsExactly(record);
    }

    @Test
    void whatIsNoMessageIsRefused() {
        byte[] record = ModelMessageCodec.encode(message("a", 10)).get(0);
        ModelMessageCodec codec = new ModelMessageCodec();
        assertThatThrownBy(() -> codec.decode(Arrays.copyOf(record, 20))).hasMessage("it is truncated after 20 bytes");
        byte[] later = record.clone();
        later[0] = 2;
        assertThatThrownBy(() -> codec.decode(later)).hasMessage("its version is 2, and this program reads 1");
        byte[] strange = record.clone();
        strange[1] = 77;
        assertThatThrownBy(() -> codec.decode(strange)).hasMessageStartingWith("kind 77");
        byte[] manyPieces = record.clone();
        manyPieces[30] = 1;
        assertThatThrownBy(() -> codec.decode(manyPieces)).hasMessageStartingWith("kind 4, piece 0 of 16777217");
        byte[] longName = record.clone();
        longName[34] = 1;
        assertThatThrownBy(() -> codec.decode(longName)).hasMessageStartingWith("it is truncated after");
        longName[34] = (byte) 0xFF;
        assertThatThrownBy(() -> codec.decode(longName)).hasMessageStartingWith("the sender's name has 65281 bytes");
        assertThatThrownBy(() -> message("", 1)).hasMessageContaining("1 to 200 characters");
    }
}
