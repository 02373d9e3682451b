package io.cutwater.kafka.vertex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class VertexUpdateCodecTest {
    @Test
    void theBytesAreThoseOfTheTable() {
        assertThat(HexFormat.of().formatHex(VertexUpdateCodec.encode(update())))
                .isEqualTo("01" + "8000000000000001" + "00000003" + "000000000000002a" + "00000007" + "0000000100000000"
                        + "00000002"
                        + "ffffffffffffffff" + "0fff" + "0002" + "0000" + "0fff"
                        + "7fffffffffffffff" + "0005" + "0001" + "0005");
        assertThat(VertexUpdateCodec.key(update())).containsExactly(0, 0, 0, 7);
    }

    @Test
    void anUpdateComesBackAsItWas() {
        assertThat(VertexUpdateCodec.encode(VertexUpdateCodec.decode(VertexUpdateCodec.encode(update()))))
                .isEqualTo(VertexUpdateCodec.encode(update()));
    }

    @Test
    void anEndSaysTheLastSequenceOfEachLineage() {
        VertexBatch sent = new VertexBatch();
        sent.add(-7, 1L << 40, -1);
        sent.add(9, 0, -1);
        byte[] bytes = VertexUpdateCodec.encode(new VertexUpdate(1, 2, 0, 3, 0, sent));
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("02" + "0000000000000001" + "00000002" + "0000000000000000" + "00000003"
                        + "0000000000000000" + "00000002" + "fffffffffffffff9" + "0000010000000000"
                        + "0000000000000009" + "0000000000000000");
        VertexUpdate read = VertexUpdateCodec.decode(bytes);
        assertThat(read.isEnd()).isTrue();
        assertThat(read.added().vertex(0)).isEqualTo(-7);
        assertThat(read.added().degree(0)).isEqualTo(1L << 40);
        assertThat(VertexUpdateCodec.encode(read)).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        bytes[32] = 1;
        assertThatThrownBy(() -> VertexUpdateCodec.decode(bytes)).hasMessageContaining("not 0");
    }

    @Test
    void hintsFollowTheVertices() {
        long[] hints = {1, -2, 3, Long.MIN_VALUE};
        VertexUpdate some = update();
        VertexUpdate update = new VertexUpdate(some.run(), 3, 42, 7, some.sequence(), some.added(), null, null, hints);
        byte[] bytes = VertexUpdateCodec.encode(update);
        String plain = HexFormat.of().formatHex(VertexUpdateCodec.encode(some));
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("06" + plain.substring(2) + "00000004" + "0000000000000001" + "fffffffffffffffe"
                        + "0000000000000003" + "8000000000000000");
        assertThat(VertexUpdateCodec.decode(bytes).hints()).containsExactly(hints);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] odd = Arrays.copyOf(bytes, bytes.length - Long.BYTES);
        odd[odd.length - 3 * Long.BYTES - 1] = 3;
        assertThatThrownBy(() -> VertexUpdateCodec.decode(odd)).hasMessageContaining("3 hints for 2 vertices");
    }

    @Test
    void wholeRecordsComeBackAsTheyWere() {
        VertexBatch vertices = new VertexBatch();
        vertices.add(-1, 0, -1);
        vertices.add(8, 0, -1);
        VertexUpdate update = new VertexUpdate(1, 0, 42, 7, 5, vertices, new byte[][] {{1, 2, 3}, {}});
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("03" + "0000000000000001" + "00000000" + "000000000000002a" + "00000007"
                        + "0000000000000005" + "00000002" + "ffffffffffffffff" + "00000003" + "010203"
                        + "0000000000000008" + "00000000");
        assertThat(VertexUpdateCodec.encode(VertexUpdateCodec.decode(bytes))).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        bytes[45] = 4;
        bytes[46] = -1;
        assertThatThrownBy(() -> VertexUpdateCodec.decode(bytes)).hasMessageContaining("do not fit");
    }

    @Test
    void keptEdgesAndVerticesThatAreGoneComeBackAsTheyWere() {
        VertexBatch vertices = new VertexBatch();
        vertices.add(-1, 0, -1);
        vertices.add(8, 0, -1);
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -2, 0.5, EdgeBatch.NO_TIMESTAMP);
        edges.setPlace(0, 4095);
        edges.add(3, 4);
        edges.setRemoval(1);
        edges.setPlace(1, EdgeBatch.TAKEN_AWAY);
        edges.add(3, 4);
        edges.setRemoval(2);
        VertexUpdate update = new VertexUpdate(1, 0, 42, 7, 5, vertices, new byte[][] {null, {9}}, edges, null);
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("04" + "0000000000000001" + "00000000" + "000000000000002a" + "00000007"
                        + "0000000000000005" + "00000002" + "ffffffffffffffff" + "ffffffff"
                        + "0000000000000008" + "00000001" + "09"
                        + "0000004f" + "01" + "05" + "03000000"
                        + "0100000000000000" + "0300000000000000" + "0300000000000000"
                        + "feffffffffffffff" + "0400000000000000" + "0400000000000000"
                        + "000000000000e03f" + "000000000000f87f" + "000000000000f87f" + "06"
                        + "0fff" + "fffe" + "ffff");
        assertThat(VertexUpdateCodec.encode(VertexUpdateCodec.decode(bytes))).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void edgesOfOneOfSeveralAssignersComeBackAsTheyWere() {
        VertexBatch vertices = new VertexBatch();
        vertices.add(8, 0, 2);
        vertices.addReplica(2);
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -2);
        edges.setPlace(0, 4095);
        edges.add(3, 4);
        edges.setRemoval(1);
        edges.setPlace(1, -3 - 4095);
        long[] hints = {5, 6};
        String head = "07" + "0000000000000001" + "00000003" + "000000000000002a" + "00000007" + "0000000000000005"
                + "00000001" + "0000000000000008" + "0002" + "0001" + "0002";
        String tail = "00000027" + "01" + "04" + "02000000"
                + "0100000000000000" + "0300000000000000" + "feffffffffffffff" + "0400000000000000" + "02"
                + "0fff" + "effe";
        VertexUpdate update = new VertexUpdate(1, 3, 42, 7, 5, vertices, null, edges, hints);
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(head + "00000002" + "0000000000000005" + "0000000000000006" + tail);
        assertThat(VertexUpdateCodec.encode(VertexUpdateCodec.decode(bytes))).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] withoutHints = VertexUpdateCodec.encode(new VertexUpdate(1, 3, 42, 7, 5, vertices, null, edges, null));
        assertThat(HexFormat.of().formatHex(withoutHints)).isEqualTo(head + "00000000" + tail);
        assertThat(VertexUpdateCodec.decode(withoutHints).hints()).isNull();
    }

    @Test
    void movedEdgesHaveBothPartitions() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -2);
        edges.setPlace(0, 4095);
        edges.add(3, 4);
        edges.setRemoval(1);
        edges.setPlace(1, Place.of(2, 4095));
        VertexUpdate update = new VertexUpdate(1, 0, 42, 7, 5, new VertexBatch(), new byte[0][], edges, null);
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("05" + "0000000000000001" + "00000000" + "000000000000002a" + "00000007"
                        + "0000000000000005" + "00000000"
                        + "00000027" + "01" + "04" + "02000000"
                        + "0100000000000000" + "0300000000000000" + "feffffffffffffff" + "0400000000000000" + "02"
                        + "00000fff" + "00fff002");
        EdgeBatch read = VertexUpdateCodec.decode(bytes).edges();
        assertThat(read).isNotNull();
        assertThat(Place.ofSource(read.place(1))).isEqualTo(2);
        assertThat(Place.ofTarget(read.place(1))).isEqualTo(4095);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void movedEdgesOfOneOfSeveralAssignersHaveBothPartitions() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -2);
        edges.setRemoval(0);
        edges.setPlace(0, -3 - 4095);
        edges.add(3, 4);
        edges.setRemoval(1);
        edges.setPlace(1, Place.of(2, 4095));
        VertexUpdate update = new VertexUpdate(1, 3, 42, 7, 5, new VertexBatch(), null, edges, null);
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("08" + "0000000000000001" + "00000003" + "000000000000002a" + "00000007"
                        + "0000000000000005" + "00000000" + "00000000"
                        + "00000027" + "01" + "04" + "02000000"
                        + "0100000000000000" + "0300000000000000" + "feffffffffffffff" + "0400000000000000" + "03"
                        + "ffffeffe" + "00fff002");
        assertThat(VertexUpdateCodec.encode(VertexUpdateCodec.decode(bytes))).isEqualTo(bytes);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void edgesOfAVertexPartitioningHaveThePlacesOfBothEnds() {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, -2);
        edges.setPlace(0, Place.of(7, 4095));
        edges.add(3, 4);
        edges.setRemoval(1);
        edges.setPlace(1, -3 - Place.of(4095, 4095));
        VertexUpdate update = new VertexUpdate(1, 3, 42, 7, 5, new VertexBatch(), null, edges, null);
        byte[] bytes = VertexUpdateCodec.encode(update);
        assertThat(HexFormat.of().formatHex(bytes)).startsWith("08").endsWith("02" + "00fff007" + "fefffffe");
        VertexUpdate read = VertexUpdateCodec.decode(bytes);
        assertThat(VertexUpdateCodec.encode(read)).isEqualTo(bytes);
        assertThat(read.edges().place(0)).isEqualTo(Place.of(7, 4095));
        assertThat(read.edges().place(1)).isEqualTo(-3 - Place.of(4095, 4095));
    }

    @Test
    void cutOffAndTrailingBytesAndOtherVersionsAreRefused() {
        byte[] bytes = VertexUpdateCodec.encode(update());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VertexUpdateCodec.decode(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> VertexUpdateCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .hasMessageContaining("ends after");
        bytes[0] = 9;
        assertThatThrownBy(() -> VertexUpdateCodec.decode(bytes)).hasMessageContaining("version 9");
    }

    @Test
    void neighbouringBucketsShareATopicPartitionAndEveryTopicPartitionHasSome() {
        int[] found = new int[5];
        int before = 0;
        for (int bucket = 0; bucket < 128; bucket++) {
            int topicPartition = VertexUpdateCodec.topicPartition(bucket, 128, 5);
            assertThat(topicPartition).isBetween(before, before + 1);
            before = topicPartition;
            found[topicPartition]++;
        }
        for (int buckets : found) {
            assertThat(buckets).isBetween(25, 26);
        }
    }

    private static VertexUpdate update() {
        VertexBatch added = new VertexBatch();
        added.add(-1, 0, 4095);
        added.addReplica(0);
        added.addReplica(4095);
        added.add(Long.MAX_VALUE, 0, 5);
        added.addReplica(5);
        return new VertexUpdate(Long.MIN_VALUE + 1, 3, 42, 7, 1L << 32, added);
    }
}
