package io.cutwater.state.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cutwater.state.table.PartitionLoads;
import java.util.List;
import org.junit.jupiter.api.Test;

class QualityOfEdgesTest {
    @Test
    void readsItsNumbersFromTheLoads() {
        PartitionLoads loads = new PartitionLoads(new long[] {6, 2}, new long[] {4, 2}, 5);
        Quality report = Quality.of(loads, 3);
        assertThat(report.perPartition()).containsExactly(new PartitionQuality(0, 4, 6), new PartitionQuality(1, 2, 2));
        assertThat(report.vertices()).isEqualTo(5);
        assertThat(report.edges()).isEqualTo(8);
        assertThat(report.deadLetters()).isEqualTo(3);
        assertThat(report.copies()).isEqualTo(6);
        assertThat(report.replicationFactor()).isEqualTo(6.0 / 5);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(6 * 2 / 8.0);
        assertThat(report.vertexBalance()).isEqualTo(4 * 2 / 6.0);
    }

    @Test
    void anEmptyGraphIsPerfect() {
        Quality report = Quality.of(new PartitionLoads(7), 0);
        assertThat(report.replicationFactor()).isEqualTo(1.0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
        assertThat(report.vertexBalance()).isEqualTo(1.0);
    }

    @Test
    void everythingOnOnePartitionIsAsUnbalancedAsCanBe() {
        Quality report = Quality.of(new PartitionLoads(new long[] {0, 9, 0}, new long[] {0, 4, 0}, 4), 0);
        assertThat(report.replicationFactor()).isEqualTo(1.0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(3.0);
        assertThat(report.vertexBalance()).isEqualTo(3.0);
    }

    @Test
    void countsBeyondThirtyTwoBits() {
        long huge = 1L << 40;
        Quality report = Quality.of(new PartitionLoads(new long[] {huge, huge}, new long[] {huge, huge}, huge), 0);
        assertThat(report.edges()).isEqualTo(2 * huge);
        assertThat(report.replicationFactor()).isEqualTo(2.0);
        assertThat(report.edgeBalance().orElseThrow()).isEqualTo(1.0);
    }

    @Test
    void refusesAListThatDoesNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quality.ofEdges(2, 0, 0, 0, List.of()))
                .withMessage("perPartition must have 2 entries: 0");
    }
}
