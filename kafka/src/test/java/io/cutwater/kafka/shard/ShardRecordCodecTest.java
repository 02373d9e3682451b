package io.cutwater.kafka.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.RandomEdges;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardRecordCodecTest {
    /** One edge (1, 2), generation 0, as version 1 wrote it. */
    private static final String VALUE_V1 =
            "0101" + "0000000000000000" + "010001000000" + "0100000000000000" + "0200000000000000";

    @Test
    void writesTheBytesOfVersion1() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        assertThat(HexFormat.of().formatHex(ShardRecordCodec.encode(Kind.ADD, 0, batch, 0, 1)))
                .isEqualTo(VALUE_V1);
        assertThat(ShardRecordCodec.key(258)).containsExactly(0, 0, 1, 2);
    }

    @Test
    void readsTheBytesThatVersion1Wrote() {
        EdgeBatch batch = new EdgeBatch();
        assertThat(ShardRecordCodec.decode(HexFormat.of().parseHex(VALUE_V1), batch))
                .isEqualTo(new Header(Kind.ADD, 0));
        assertThat(RandomEdges.edges(batch)).containsExactly("1 2 NaN " + EdgeBatch.NO_TIMESTAMP);
        assertThat(ShardRecordCodec.shard(new byte[] {0, 0, 1, 2})).isEqualTo(258);
    }

    /** One edge (1, 2) with key 258, which is removed from partition 3, whose owner has both ends. */
    private static final String KEY_V2 = "0204" + "0000000000000000" + "020001000000" + "0100000000000000"
            + "0200000000000000" + "0201000000000000" + "03000300";

    @Test
    void edgesWithKeysAreVersion2() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, 258);
        batch.setPlace(0, Place.of(3, 3));
        assertThat(HexFormat.of().formatHex(ShardRecordCodec.encode(Kind.REMOVE_OWNED, 0, batch, 0, 1)))
                .isEqualTo(KEY_V2);
        EdgeBatch read = new EdgeBatch();
        assertThat(ShardRecordCodec.decode(HexFormat.of().parseHex(KEY_V2), read))
                .isEqualTo(new Header(Kind.REMOVE_OWNED, 0));
        assertThat(read.key(0)).isEqualTo(258);
        assertThat(read.place(0)).isEqualTo(Place.of(3, 3));
        byte[] value = HexFormat.of().parseHex(KEY_V2);
        for (int length = 0; length < value.length; length++) {
            refuses(Arrays.copyOf(value, length), "truncated");
        }
    }

    /** The edge (1, 2) whose ends belong to partitions 3 and 258. */
    private static final String OWNED_V1 = VALUE_V1.replaceFirst("0101", "0102") + "0300" + "0201";

    @Test
    void ownersOfTheEndsStandBehindTheEdges() {
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.setPlace(0, Place.of(3, 258));
        assertThat(HexFormat.of().formatHex(ShardRecordCodec.encode(Kind.ADD_OWNED, 0, batch, 0, 1)))
                .isEqualTo(OWNED_V1);
        EdgeBatch read = new EdgeBatch();
        read.add(7, 8);
        assertThat(ShardRecordCodec.decode(HexFormat.of().parseHex(OWNED_V1), read))
                .isEqualTo(new Header(Kind.ADD_OWNED, 0));
        assertThat(read.place(0)).isEqualTo(EdgeBatch.NO_PLACE);
        assertThat(read.place(1)).isEqualTo(Place.of(3, 258));
        assertThat(read.target(1)).isEqualTo(2);
        for (int length = 0; length < OWNED_V1.length() / 2; length++) {
            refuses(Arrays.copyOf(HexFormat.of().parseHex(OWNED_V1), length), "truncated");
        }
        refuses(HexFormat.of().parseHex(OWNED_V1 + "00000000"), "it has trailing bytes");
        refuses(
                HexFormat.of().parseHex(OWNED_V1.replaceFirst("0201$", "0010")),
                "owner 4096, and partitions end at 4095");
        refuses(HexFormat.of().parseHex(OWNED_V1.replaceFirst("010001000000", "0100ffffffff")), "cannot have -1 edges");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyKindHasItsNumberAndTheGeneration(Kind kind) {
        String golden = switch (kind) {
            case ADD -> VALUE_V1;
            case ADD_OWNED -> OWNED_V1;
            case REMOVE -> VALUE_V1.replaceFirst("0101", "0103");
            case REMOVE_OWNED -> OWNED_V1.replaceFirst("0102", "0104");
            case ADOPT -> VALUE_V1.replaceFirst("0101", "0105");
            case ADOPT_OWNED -> OWNED_V1.replaceFirst("0102", "0106");
            case EVICT -> VALUE_V1.replaceFirst("0101", "0107");
            case EVICT_OWNED -> OWNED_V1.replaceFirst("0102", "0108");
        };
        golden = golden.replaceFirst("0000000000000000", "0700000000000000");
        EdgeBatch batch = new EdgeBatch();
        batch.add(1, 2);
        batch.setPlace(0, Place.of(3, 258));
        assertThat(HexFormat.of().formatHex(ShardRecordCodec.encode(kind, 7, batch, 0, 1)))
                .isEqualTo(golden);
        EdgeBatch read = new EdgeBatch();
        assertThat(ShardRecordCodec.decode(HexFormat.of().parseHex(golden), read))
                .isEqualTo(new Header(kind, 7));
        assertThat(read.place(0)).isEqualTo(kind.hasOwners() ? Place.of(3, 258) : EdgeBatch.NO_PLACE);
        assertThat(Kind.of(kind.change(), kind.hasOwners())).isEqualTo(kind);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsTheOwnersItWrote(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        EdgeBatch batch = RandomEdges.batch(seed, 300, seed == 2, seed == 3);
        for (int i = 0; i < batch.size(); i++) {
            batch.setPlace(i, Place.of(random.nextInt(4096), random.nextInt(4096)));
        }
        EdgeBatch read = new EdgeBatch();
        ShardRecordCodec.decode(ShardRecordCodec.encode(Kind.ADD_OWNED, 5, batch, 17, 170), read);
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(batch, 17, 170));
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.place(i)).isEqualTo(batch.place(17 + i));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void readsWhatItWrote(long seed) {
        EdgeBatch batch = RandomEdges.batch(seed, 300, seed == 2, seed == 3);
        EdgeBatch read = new EdgeBatch();
        Header header =
                ShardRecordCodec.decode(ShardRecordCodec.encode(Kind.ADD, Long.MAX_VALUE - seed, batch, 17, 170), read);
        assertThat(header.generation()).isEqualTo(Long.MAX_VALUE - seed);
        assertThat(RandomEdges.edges(read)).isEqualTo(RandomEdges.edges(batch, 17, 170));
    }

    @Test
    void refusesEveryTruncationWithASentence() {
        byte[] value = HexFormat.of().parseHex(VALUE_V1);
        for (int length = 0; length < value.length; length++) {
            refuses(Arrays.copyOf(value, length), "truncated");
        }
        refuses(Arrays.copyOf(value, value.length + 1), "it has trailing bytes");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        byte[] value = HexFormat.of().parseHex(VALUE_V1);
        value[0] = 9;
        refuses(value, "shard record version 9 is not known; this program reads versions 1 and 2");
        value[0] = 2;
        refuses(value, "a shard record of version 2 cannot hold an edge batch of version 1");
        value[0] = 1;
        value[1] = 77;
        refuses(value, "shard record kind 77 is not known to this program");
    }

    @Test
    void refusesAKeyThatIsNoShardNumber() {
        assertThatThrownBy(() -> ShardRecordCodec.shard(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key of a shard record takes 4 bytes, but there are 0");
        assertThatThrownBy(() -> ShardRecordCodec.shard(new byte[] {-1, 0, 0, 0}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a shard number cannot be negative: -16777216");
    }

    @Test
    void spreadsShardsOverTheTopicPartitionsByTheirNumber() {
        assertThat(ShardRecordCodec.topicPartition(5, 8)).isEqualTo(5);
        assertThat(ShardRecordCodec.topicPartition(13, 8)).isEqualTo(5);
    }

    private static void refuses(byte[] value, String reason) {
        EdgeBatch batch = new EdgeBatch();
        assertThatThrownBy(() -> ShardRecordCodec.decode(value, batch))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        assertThat(batch.isEmpty()).isTrue();
    }
}
