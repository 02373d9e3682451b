package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.feedback.StaleViews.Window;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the loss of quality by several assigners on graphs of a million edges or more, in the window of the job. */
final class StaleViewsTest {
    private static final Window OF_THE_JOB = Window.ofJob(false);
    private static final int EDGES_IN_TURN = 16 * 1024;
    private static final boolean IS_CAMPAIGN = Integer.getInteger("cutwater.seeds") != null;
    private static final Map<String, String> SOLO = Map.of("solo", "500000");
    private static final PartitionerOptions HDRF = PartitionerOptions.ofEdges("hdrf", 32, 16, PassMode.LIVE, SOLO);
    private static final PartitionerOptions HDRF_FROM_THE_FIRST_EDGE =
            PartitionerOptions.ofEdges("hdrf", 32, 16, PassMode.LIVE, Map.of("solo", "0"));

    @Test
    void replicationRisesByLessThanThreePerCentOnAGraphWithHubs() {
        EdgeBatch graph = new EdgeBatch();
        SyntheticGraph.rmat(16, 1).fill(graph, 1 << 20);
        StaleViews one = StaleViews.of(graph, HDRF, 1, OF_THE_JOB);
        for (int assigners : IS_CAMPAIGN ? new int[] {4, 64} : new int[] {64}) {
            assertThatItIsClose(StaleViews.of(graph, HDRF_FROM_THE_FIRST_EDGE, assigners, OF_THE_JOB), one);
        }
    }

    @Test
    void replicationRisesByLessThanThreePerCentOnARealGraph() {
        EdgeBatch graph = SharedGraph.read("data/uk-2007-05-100k/edges.rnd.txt.gz");
        StaleViews one = StaleViews.of(graph, HDRF, 1, OF_THE_JOB);
        for (int assigners : IS_CAMPAIGN ? new int[] {2, 4} : new int[] {4}) {
            assertThatItIsClose(StaleViews.of(graph, HDRF, assigners, OF_THE_JOB), one);
        }
    }

    @Test
    void assignersThatShareHomesFindCommunitiesAsOneDoes() {
        PartitionerOptions cutwater = PartitionerOptions.ofEdges("cutwater", 32, 16, PassMode.LIVE, SOLO);
        EdgeBatch graph = firstEdges();
        StaleViews one = StaleViews.of(graph, cutwater, 1, OF_THE_JOB);
        StaleViews four = StaleViews.of(graph, cutwater, 4, OF_THE_JOB);
        assertThat(four.cost()).isLessThan(1.03 * one.cost());
        assertThat(four.balance()).isLessThan(1.06);
    }

    @Test
    void assignersThatShareLoadsPlaceACrawlAsOneDoes() {
        EdgeBatch graph = SharedGraph.read("data/uk-2007-05-100k/edges.txt.gz");
        for (String algorithm : new String[] {"hdrf", "cutwater"}) {
            PartitionerOptions options = PartitionerOptions.ofEdges(algorithm, 32, 16, PassMode.LIVE, SOLO);
            StaleViews one = StaleViews.of(graph, options, 1, OF_THE_JOB);
            StaleViews four = StaleViews.of(graph, options, 4, OF_THE_JOB, false, EDGES_IN_TURN);
            assertThat(four.cost()).as(algorithm).isLessThan(1.03 * one.cost());
            // Where large communities go is chance, and hdrf has no bound; with one assigner it is at 1.11.
            assertThat(four.balance()).as(algorithm).isLessThan(algorithm.equals("hdrf") ? 1.25 : 1.06);
        }
    }

    @Test
    void anAssignerPlacesAsTheOnlyOneDoesWhileItIsAlone() {
        EdgeBatch graph = firstEdges();
        for (String algorithm : new String[] {"hdrf", "cutwater"}) {
            PartitionerOptions options =
                    PartitionerOptions.ofEdges(algorithm, 32, 16, PassMode.LIVE, Map.of("solo", "" + graph.size()));
            StaleViews one = StaleViews.of(graph, options, 1, OF_THE_JOB);
            StaleViews four = StaleViews.of(graph, options, 4, OF_THE_JOB);
            assertThat(four.cost()).as(algorithm).isEqualTo(one.cost());
            assertThat(four.balance()).as(algorithm).isEqualTo(one.balance());
        }
    }

    @Test
    void assignersThatBeginTogetherFindCommunitiesAsOneDoes() {
        PartitionerOptions cutwater = PartitionerOptions.ofEdges("cutwater", 32, 16);
        EdgeBatch graph = firstEdges();
        StaleViews one = StaleViews.of(graph, cutwater, 1, Window.ofJob(true), true, 1);
        StaleViews four = StaleViews.of(graph, cutwater, 4, Window.ofJob(true), true, 1);
        assertThat(four.cost()).isLessThan(1.03 * one.cost());
        assertThat(four.balance()).isLessThan(1.06);
    }

    @Test
    void assignersThatPlanForBuffersOfTheirOwnComeCloseToOne() {
        Map<String, String> settings = Map.of("buffer", "2500", "solo", "50000");
        PartitionerOptions cutwater = PartitionerOptions.ofEdges("cutwater", 32, 16, PassMode.LIVE, settings);
        EdgeBatch graph = SharedGraph.read("data/amazon-computers/edges.rnd.txt.gz");
        StaleViews one = StaleViews.of(graph, cutwater, 1, OF_THE_JOB);
        StaleViews four = StaleViews.of(graph, cutwater, 4, OF_THE_JOB);
        assertThat(four.cost()).isLessThan(1.05 * one.cost());
        assertThat(four.balance()).isLessThan(1.06);
    }

    @Test
    void assignersThatProposeOwnersCutNearlyAsFewEdgesAsOneDoes() {
        PartitionerOptions cutwater = PartitionerOptions.ofVertices("cutwater", 32, 16, PassMode.LIVE, SOLO);
        EdgeBatch graph = firstEdges();
        StaleViews one = StaleViews.of(graph, cutwater, 1, OF_THE_JOB);
        StaleViews four = StaleViews.of(graph, cutwater, 4, OF_THE_JOB);
        assertThat(four.cost()).isLessThan(1.03 * one.cost());
        assertThat(four.balance()).isLessThan(1.06);
    }

    /** A million edges and some of a real graph. */
    private static EdgeBatch firstEdges() {
        EdgeBatch graph = SharedGraph.read("data/uk-2007-05-100k/edges.rnd.txt.gz");
        EdgeBatch first = new EdgeBatch();
        for (int i = 0; i < 1_200_000; i++) {
            first.addFrom(graph, i);
        }
        return first;
    }

    private static void assertThatItIsClose(StaleViews some, StaleViews one) {
        assertThat(some.cost()).isLessThan(1.03 * one.cost());
        assertThat(some.balance()).isLessThan(1.01);
    }
}
