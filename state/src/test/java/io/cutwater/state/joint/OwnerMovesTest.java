package io.cutwater.state.joint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cutwater.state.graph.Place;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnerMovesTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void theBytesAreThoseOfVersion1() {
        OwnerMoves moves = new OwnerMoves(300);
        moves.placed(1, -2, Place.of(3, 5));
        List<byte[]> pieces = moves.toBytes();
        assertThat(pieces).hasSize(1);
        assertThat(HEX.formatHex(pieces.get(0)))
                .isEqualTo("5601" + "000000000000012c" + "0000000000000001" + "fffffffffffffffe" + "00005003");
        byte[] other = {1, 2, 3};
        assertThat(OwnerMoves.others(List.of(other, pieces.get(0)))).containsExactly(other);
    }

    @Test
    void edgesComeBackFromSeveralPieces() {
        OwnerMoves moves = new OwnerMoves(7);
        int edges = 200_000;
        for (int i = 0; i < edges; i++) {
            moves.placed(i, -i, i % 4096);
        }
        List<byte[]> pieces = moves.toBytes();
        assertThat(pieces).hasSize(2);
        OwnerMoves back = OwnerMoves.of(pieces);
        assertThat(back.areWanted()).isTrue();
        assertThat(back.most()).isEqualTo(7);
        assertThat(back.size()).isEqualTo(edges);
        assertThat(back.source(150_000)).isEqualTo(150_000);
        assertThat(back.target(150_000)).isEqualTo(-150_000);
        assertThat(back.place(150_000)).isEqualTo(150_000 % 4096);
    }

    @Test
    void nothingMovesInThePlanOfACheckpointWithoutThem() {
        assertThat(OwnerMoves.of(List.of(new byte[] {'C', 1})).areWanted()).isFalse();
    }

    @Test
    void anotherVersionAndHalfAnEdgeAreRefused() {
        byte[] piece = new OwnerMoves(1).toBytes().get(0);
        byte[] later = piece.clone();
        later[1]++;
        assertThatIllegalStateException()
                .isThrownBy(() -> OwnerMoves.of(List.of(later)))
                .withMessageContaining("version 2; this is version 1");
        byte[] half = Arrays.copyOf(piece, piece.length + 10);
        assertThatIllegalStateException()
                .isThrownBy(() -> OwnerMoves.of(List.of(half)))
                .withMessageContaining("20 bytes");
    }
}
