package io.cutwater.flink.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements of the lists of kept edges, byte by byte: a checkpoint has them. */
final class RowChunkTest {
    /** Version 2: edges of vertex 100 to 97 and from 300, and row 2 of the edges to 300. */
    private static final byte[] ROWS = HexFormat.of().parseHex("02" + "09051105" + "04960301" + "0b0200ffee");

    private static final byte[] DEEPER = HexFormat.of().parseHex("12" + "02" + "d80f");

    @Test
    void writesVersion2() {
        RowChunkWriter out = new RowChunkWriter();
        out.start(100);
        out.add(97, true, 0, new byte[] {0x11, 5}, 0, 2);
        out.add(300, false, 0, new byte[] {9, 1, 9}, 1, 1);
        out.add(300, true, 2, new byte[] {(byte) 0xff, (byte) 0xee}, 0, 2);
        assertThat(out.rows()).isEqualTo(3);
        assertThat(out.toBytes()).isEqualTo(ROWS);
        assertThat(RowChunkWriter.deeper(2, 1004)).isEqualTo(DEEPER);
    }

    @ParameterizedTest
    @ValueSource(bytes = {1, 2})
    void readsVersions1And2(byte version) {
        byte[] rows = ROWS.clone();
        rows[0] = version;
        byte[] deeper = DEEPER.clone();
        deeper[0] = (byte) (0x10 | version);
        RowChunkReader in = new RowChunkReader();
        in.start(100, List.of(deeper, rows, RowChunkWriter.deeper(1, -4)));
        assertThat(in.find(300, true, 2)).containsExactly(0xff, 0xee);
        assertThat(in.next()).isFalse();
        assertThat(in.level()).isEqualTo(2);
        assertThat(in.deeperRows()).isEqualTo(1000);
    }

    @Test
    void findsAllRowsWithAKey() {
        RowChunkReader in = new RowChunkReader();
        in.start(100, List.of(ROWS, ROWS));
        assertThat(in.find(97, true, 0)).containsExactly(0x11, 5, 0x11, 5);
        in.start(100, List.of(ROWS, ROWS));
        assertThat(in.find(97, false, 0)).isNull();
    }

    @Test
    void refusesAnotherVersionAndTruncatedRows() {
        RowChunkReader in = new RowChunkReader();
        in.start(100, List.of(new byte[] {3}));
        assertThatThrownBy(in::next).isInstanceOf(IllegalStateException.class).hasMessageContaining("version 3");
        in.start(100, List.of(HexFormat.of().parseHex("0109051105049603")));
        assertThat(in.next()).isTrue();
        assertThatThrownBy(in::next).isInstanceOf(IllegalStateException.class).hasMessageContaining("truncated");
    }
}
