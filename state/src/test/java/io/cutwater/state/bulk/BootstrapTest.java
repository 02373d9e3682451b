package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.quality.Quality;
import org.junit.jupiter.api.Test;

/** Placing live what comes behind a history that was placed in bulk. */
class BootstrapTest {
    @Test
    void aHistoryPlacedInBulkHelpsTheEdgesThatComeLive() throws Exception {
        EdgeBatch edges = SharedGraph.read("data/cit-hepph/edges.time.txt.gz");
        Quality live = BootstrapFigures.quality(edges, 0);
        Quality bootstrapped = BootstrapFigures.quality(edges, (int) (BootstrapFigures.HISTORY * edges.size()));
        // 2.35 for 3.22; about 2.6 if nothing were learnt from the history but degrees and replicas
        assertThat(bootstrapped.replicationFactor()).isLessThan(0.76 * live.replicationFactor());
        assertThat(bootstrapped.edgeBalance().orElseThrow()).isLessThan(1.055);
    }
}
