package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFileReader;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts the edges of the real graphs, where they are at hand. */
class RealEdgeFilesTest {
    @ParameterizedTest
    @CsvSource({
        "amazon-computers/edges.txt.gz, 245861, false",
        "amazon-computers/edges.rnd.txt.gz, 245861, false",
        "coauthor-cs/edges.txt.gz, 81894, false",
        "planetoid-cora/edges.txt.gz, 5278, false",
        "planetoid-citeseer/edges.txt.gz, 4552, false",
        "musae-facebook/edges.txt.gz, 170823, false",
        "soc-slashdot0902/edges.txt.gz, 504230, false",
        "cit-hepph/edges.txt.gz, 420877, false",
        "sx-mathoverflow/edges.txt.gz, 187986, false",
        "sx-mathoverflow/edges.time.txt.gz, 390441, true",
        "uk-2007-05-100k/edges.txt.gz, 2779575, false",
        "uk-2007-05-100k/edges.rnd.txt.gz, 2779575, false",
    })
    void haveTheEdgesThatTheirTableSays(String name, long expected, boolean hasTimes) throws IOException {
        Path file = SharedData.file("data/" + name);
        long edges = 0;
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                edges += batch.size();
                assertThat(batch.rejected()).isEmpty();
                // The third field is the weight, also where it is a time.
                assertThat(batch.hasWeights()).isEqualTo(hasTimes);
                assertThat(batch.hasTimestamps()).isFalse();
                batch.clear();
            }
        }
        assertThat(edges).isEqualTo(expected);
    }
}
