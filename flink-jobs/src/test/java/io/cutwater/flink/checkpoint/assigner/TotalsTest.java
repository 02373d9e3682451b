package io.cutwater.flink.checkpoint.assigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.table.PartitionLoads;
import java.util.HexFormat;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.Test;

final class TotalsTest {
    private static final String VERSION_1 = "01" + "00000002" + "0000000000000009" + "0000000000000007"
            + "0000000000000003" + "0000000100000000" + "0000000200000000" + "0000000000000005" + "0000000000000001"
            + "0000000000000004";

    private static final String VERSION_2 = "02" + "00000002" + "0000000000000009" + "0000000000000007"
            + "0000000000000003" + "0000000100000000" + "0000000000000006" + "01" + "0000000200000000"
            + "0000000000000005" + "0000000000000001" + "0000000000000004";

    @Test
    void readsTheBytesThatVersion1Wrote() {
        Totals totals = Totals.fromBytes(HexFormat.of().parseHex(VERSION_1), 2);
        assertThat(totals.createdVertices()).isEqualTo(9);
        assertThat(totals.loads().totalVertices()).isEqualTo(7);
        assertThat(totals.deadLetters()).isEqualTo(3);
        assertThat(totals.progress()).isEqualTo(1L << 32);
        assertThat(totals.loads().edges()).containsExactly(1L << 33, 1);
        assertThat(totals.loads().vertices()).containsExactly(5, 4);
        assertThat(totals.unknownRemovals()).isZero();
        assertThat(totals.keepsEdges()).isFalse();
    }

    @Test
    void readsWhatItWrites() {
        PartitionLoads loads = new PartitionLoads(new long[] {1L << 33, 1}, new long[] {5, 4}, 7);
        byte[] bytes = new Totals(loads, 9, 3, 1L << 32, 6, true).toBytes();
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(VERSION_2);
        Totals totals = Totals.fromBytes(bytes, 2);
        assertThat(totals.unknownRemovals()).isEqualTo(6);
        assertThat(totals.keepsEdges()).isTrue();
        assertThat(totals.toBytes()).isEqualTo(bytes);
    }

    @Test
    void saysWhetherEdgesAreFoundByBothEnds() {
        Totals totals = new Totals(new PartitionLoads(2), 9, 3, 1, 6, true, true);
        Totals read = Totals.fromBytes(totals.toBytes(), 2);
        read.requireKeeping(true);
        read.requireRemovingVertices(true);
        assertThatThrownBy(() -> read.requireRemovingVertices(false))
                .isInstanceOf(SuppressRestartsException.class)
                .hasRootCauseMessage("the checkpoint finds edges by both ends; resume it with --remove-vertices");
        assertThatThrownBy(() -> Totals.empty(1).requireRemovingVertices(true))
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("resume it without --remove-vertices");
    }

    @Test
    void refusesAnotherNumberOfPartitionsAndNamesTheOption() {
        byte[] bytes = new Totals(new PartitionLoads(4), 0, 0, 0).toBytes();
        assertThatThrownBy(() -> Totals.fromBytes(bytes, 8))
                .isInstanceOf(SuppressRestartsException.class)
                .hasStackTraceContaining("--partitions 4");
    }

    @Test
    void refusesBytesOfALaterVersion() {
        byte[] bytes = Totals.empty(1).toBytes();
        bytes[0] = 3;
        assertThatIllegalStateException()
                .isThrownBy(() -> Totals.fromBytes(bytes, 1))
                .withMessageContaining("version 3");
    }
}
