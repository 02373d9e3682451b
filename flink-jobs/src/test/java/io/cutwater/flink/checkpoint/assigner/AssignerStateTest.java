package io.cutwater.flink.checkpoint.assigner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.PartitionLoads;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AssignerStateTest {
    private static final String LINEAGE = "00000000000000ff" + "00000002" + "0000000000000005" + "0000000000000000"
            + "00000001" + "00000033"
            + "01" + "0000000000000007" + "00000000" + "00000000000000ff" + "00000000" + "0000000000000005" + "00000001"
            + "0000000000000009" + "0000" + "0001" + "0000";
    private static final String VERSION_1 = "01" + "01" + "0000003e"
            + "02" + "00000001" + "0000000000000000" + "0000000000000002" + "0000000000000003" + "0000000000000004"
            + "0000000000000000" + "00" + "0000000000000001" + "0000000000000002" + LINEAGE;
    private static final String VERSION_1_WITH_TOTALS_OF_VERSION_1 = "01" + "01" + "00000035"
            + "01" + "00000001" + "0000000000000000" + "0000000000000002" + "0000000000000003" + "0000000000000004"
            + "0000000000000001" + "0000000000000002" + LINEAGE;

    @Test
    void theBytesAreThoseOfTheTable() {
        assertThat(HexFormat.of().formatHex(state().toBytes())).isEqualTo(VERSION_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {VERSION_1, VERSION_1_WITH_TOTALS_OF_VERSION_1})
    void readsWhatVersion1Wrote(String bytes) {
        AssignerState read = AssignerState.fromBytes(HexFormat.of().parseHex(bytes), 1, 2);
        assertThat(read.isExact()).isTrue();
        assertThat(read.totals().loads().edges(0)).isEqualTo(1);
        assertThat(read.totals().deadLetters()).isEqualTo(3);
        assertThat(read.lineage().id()).isEqualTo(255);
        assertThat(read.lineage().lastSequences()).containsExactly(5, 0);
        assertThat(read.lineage().unconfirmed()).hasSize(1);
        assertThat(read.lineage().unconfirmed().get(0).added().vertex(0)).isEqualTo(9);
    }

    @Test
    void refusesStateThatDoesNotFitTheJobAndNamesTheOption() {
        byte[] bytes = state().toBytes();
        assertThatThrownBy(() -> AssignerState.fromBytes(bytes, 2, 2)).hasStackTraceContaining("--partitions 1");
        assertThatThrownBy(() -> AssignerState.fromBytes(bytes, 1, 4)).hasStackTraceContaining("--max-parallelism 2");
        bytes[0] = 2;
        assertThatThrownBy(() -> AssignerState.fromBytes(bytes, 1, 2)).hasMessageContaining("version 2");
    }

    private static AssignerState state() {
        VertexBatch added = new VertexBatch();
        added.add(9, 0, 0);
        added.addReplica(0);
        Lineage lineage = new Lineage(255, new long[] {5, 0}, List.of(new VertexUpdate(7, 0, 255, 0, 5, added)));
        PartitionLoads loads = new PartitionLoads(new long[] {1}, new long[] {2}, 2);
        return new AssignerState(true, new Totals(loads, 0, 3, 4), lineage);
    }
}
