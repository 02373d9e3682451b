package io.cutwater.state.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlgorithmsTest {
    @Test
    void listsTheNamesInOrder() {
        assertThat(Algorithms.names(PartitioningKind.EDGE))
                .containsExactly("2ps-l", "cutwater", "dbh", "greedy", "grid", "hash", "hdrf", "sigma-edge");
    }

    @Test
    void refusesAnUnknownNameAndListsThoseThatExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.edgePartitioner(PartitionerOptions.ofEdges("metis", 4, 1)))
                .withMessage("there is no edge partitioner named 'metis'; there are 2ps-l, cutwater, dbh, greedy,"
                        + " grid, hash, hdrf, sigma-edge");
    }

    @Test
    void refusesAnUnknownSettingAndListsThoseThatExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create("hdrf", Map.of("lamda", "1.1")))
                .withMessage("hdrf has no setting named 'lamda'; there are"
                        + " lambda (0.001 to 1000000, default 1.1), epsilon (0.001 to 1000000, default 1),"
                        + " solo (0 to 1000000000000000, default 4000000)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create("hash", Map.of("lambda", "1.1")))
                .withMessage("hash has no setting named 'lambda'; it has no settings");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "NaN", "0", "-1", "1e7", "Infinity", "1,1"})
    void refusesASettingOutOfItsRange(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create("hdrf", Map.of("lambda", value)))
                .withMessage("the setting 'lambda' of hdrf must be a number from 0.001 to 1000000: '" + value + "'");
        assertThatIllegalArgumentException().isThrownBy(() -> create("hdrf", Map.of("epsilon", value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.5", "20000.5", "1e-3"})
    void refusesAFractionOfSomethingThatIsCounted(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create("cutwater", Map.of("buffer", value)))
                .withMessage(
                        "the setting 'buffer' of cutwater must be a whole number from 0 to 100000000: '" + value + "'");
        assertThat(create("cutwater", Map.of("buffer", "2e4"))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4097})
    void refusesAPartitionCountOutOfRange(int partitionCount) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionerOptions.ofEdges("hash", partitionCount, 1))
                .withMessage("partitions must be in [1, 4096]: " + partitionCount);
    }

    @ParameterizedTest
    @CsvSource({"hash, 0", "grid, 0", "hdrf, 0", "cutwater, 0", "dbh, 1", "greedy, 1", "2ps-l, 3"})
    void inBulkTheInputIsReadAsOftenAsTheRuleNeedsAndLiveOnce(String name, int preparationPasses) {
        EdgePartitioner bulk =
                Algorithms.edgePartitioner(PartitionerOptions.ofEdges(name, 4, 1, PassMode.BULK, Map.of()));
        assertThat(bulk.preparationPasses()).isEqualTo(preparationPasses);
        assertThat(bulk.needsFinalDegrees()).isEqualTo(preparationPasses > 0);
        if (Algorithms.get(PartitioningKind.EDGE, name).runs(PassMode.LIVE)) {
            EdgePartitioner live = Algorithms.edgePartitioner(PartitionerOptions.ofEdges(name, 4, 1));
            assertThat(live.preparationPasses()).isZero();
            assertThat(live.needsFinalDegrees()).isFalse();
        }
    }

    @Test
    void whatNeedsTheWholeInputRefusesToRunLive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Algorithms.edgePartitioner(PartitionerOptions.ofEdges("2ps-l", 4, 1)))
                .withMessage("2ps-l reads its whole input before it places anything, so it needs --passes bulk and an"
                        + " input that ends; live there are cutwater, dbh, greedy, grid, hash, hdrf, sigma-edge");
    }

    @Test
    void sigmaWithoutClustersNeedsNoPassForThem() {
        EdgePartitioner partitioner = Algorithms.edgePartitioner(
                PartitionerOptions.ofEdges("sigma-edge", 4, 1, PassMode.BULK, Map.of("clustering", "none")));
        assertThat(partitioner.preparationPasses()).isEqualTo(1);
        assertThat(partitioner.layout(4)).isEqualTo(new VertexLayout(4, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create("sigma-edge", Map.of("clustering", "louvain")))
                .withMessage("the setting 'clustering' of sigma-edge must be edge-stream or none: 'louvain'");
    }

    @Test
    void aCheckpointOfAnotherAlgorithmIsRefused() {
        EdgePartitioner cutwater = create("cutwater", Map.of());
        assertThatIllegalStateException()
                .isThrownBy(() -> create("hdrf", Map.of()).restore(cutwater.snapshot()))
                .withMessageContaining("another algorithm");
        EdgePartitioner bulk =
                Algorithms.edgePartitioner(PartitionerOptions.ofEdges("2ps-l", 4, 1, PassMode.BULK, Map.of()));
        EdgePartitioner other =
                Algorithms.edgePartitioner(PartitionerOptions.ofEdges("2ps-l", 5, 1, PassMode.BULK, Map.of()));
        assertThatIllegalStateException().isThrownBy(() -> other.restore(bulk.snapshot()));
    }

    @Test
    void aPartitionerWithoutAPreparationPassRefusesToObserve() {
        VertexTable vertices = new VertexTable(new VertexLayout(4, false));
        assertThatThrownBy(() -> create("hdrf", Map.of()).observe(0, vertices, 0, 0))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAssignerRefusesTablesThatDoNotFit() {
        EdgePartitioner hash = create("hash", Map.of());
        VertexTable vertices = new VertexTable(new VertexLayout(4, false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Placement(hash, vertices, new PartitionLoads(5)))
                .withMessage("the vertex table is for 4 partitions, the loads are for 5");
        EdgePartitioner bulk =
                Algorithms.edgePartitioner(PartitionerOptions.ofEdges("dbh", 4, 1, PassMode.BULK, Map.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Placement(bulk, vertices, new PartitionLoads(4)))
                .withMessageContaining("final degrees");
        assertThatCode(() -> new Placement(hash, vertices, new PartitionLoads(4)))
                .doesNotThrowAnyException();
    }

    private static EdgePartitioner create(String algorithm, Map<String, String> settings) {
        return Algorithms.edgePartitioner(PartitionerOptions.ofEdges(algorithm, 4, 1, PassMode.LIVE, settings));
    }
}
