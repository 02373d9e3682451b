package io.cutwater.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.TrainingQuality;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
    private static final String REPORT = "{\"algorithm\":\"hdrf\",\"kind\":\"edge\",\"partitions\":2,\"seed\":-5,"
            + "\"vertices\":4,\"edges\":8,\"deadLetters\":1,\"replicationFactor\":1.25,\"edgeBalance\":1.5,"
            + "\"vertexBalance\":1.2,\"seconds\":0.5,\"edgesPerSecond\":16.0,\"peakMemoryBytes\":1048576,"
            + "\"perPartition\":[{\"partition\":0,\"vertices\":3,\"edges\":6},"
            + "{\"partition\":1,\"vertices\":2,\"edges\":2}]}";

    private static final String VERTEX_REPORT =
            "{\"algorithm\":\"ldg\",\"kind\":\"vertex\",\"partitions\":2,\"seed\":7,"
                    + "\"vertices\":4,\"edges\":8,\"deadLetters\":1,\"vertexBalance\":1.5,\"edgeCutRatio\":0.25,"
                    + "\"volumeBalance\":1.5,\"replicationFactorFullNeighbours\":1.75,\"seconds\":0.5,"
                    + "\"edgesPerSecond\":16.0,\"peakMemoryBytes\":1048576,"
                    + "\"perPartition\":[{\"partition\":0,\"vertices\":3,\"haloVertices\":1,\"edges\":7,\"volume\":12},"
                    + "{\"partition\":1,\"vertices\":1,\"haloVertices\":2,\"edges\":3,\"volume\":4}]}";

    @Test
    void writesTheKeysOfTheContractInTheirOrder() {
        assertThat(new String(ReportJson.toBytes(report()), StandardCharsets.UTF_8))
                .isEqualTo(REPORT);
    }

    @Test
    void readsWhatItWrote() {
        assertThat(ReportJson.read(ReportJson.toBytes(report()))).isEqualTo(report());
        assertThat(read(ReportJson.toPrettyString(report()))).isEqualTo(report());
        assertThat(ReportJson.toPrettyString(report())).contains("\n  \"seed\" : -5,");
    }

    @Test
    void tellsHowTrainingVerticesAreSpreadIfThatIsKnown() {
        RunReport report = report().withTraining(TrainingQuality.of(3, 1));
        String json = new String(ReportJson.toBytes(report), StandardCharsets.UTF_8);
        assertThat(json).contains("\"trainingBalance\":1.5,", "\"trainingVertices\":3}", "\"trainingVertices\":1}");
        assertThat(read(json)).isEqualTo(report);
        refuses(json.replace(",\"trainingVertices\":1", ""), "the report has no key trainingVertices");
        assertThatThrownBy(() -> report().withTraining(TrainingQuality.of(3, 1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there must be a count of training vertices for each of 2 partitions: 3");
    }

    @Test
    void skipsKeysItDoesNotKnow() {
        assertThat(read(REPORT.replace("{\"algorithm\"", "{\"epochs\":3,\"algorithm\"")))
                .isEqualTo(report());
    }

    @Test
    void namesTheKeyThatIsMissingOrWrong() {
        refuses(REPORT.replace("\"seed\":-5,", ""), "the report has no key seed");
        refuses(REPORT.replace("\"edges\":8", "\"edges\":8.5"), "key edges of the report is not a 64-bit integer");
        refuses(REPORT.replace("\"hdrf\"", "7"), "key algorithm of the report is not a string");
        refuses(REPORT.replace("0.5", "\"0.5\""), "key seconds of the report is not a number");
        refuses(REPORT.replace("\"partitions\":2", "\"partitions\":4294967298"), "partitions of the report is out of");
        refuses(REPORT.replace("\"edge\"", "\"node\""), "kind of the report must be edge or vertex: node");
        refuses(REPORT.replace("\"edge\"", "\"vertex\""), "the report has no key volume");
        refuses("[]", "the report has no key kind");
        refuses("", "the report has no key kind");
    }

    @Test
    void refusesEveryTruncationWithASentence() {
        for (int length = 0; length < REPORT.length(); length++) {
            refuses(REPORT.substring(0, length), "the report ");
        }
    }

    @Test
    void refusesATimeThatJsonCannotCarry() {
        assertThatThrownBy(() -> new RunReport("hash", 0, report().quality(), Double.POSITIVE_INFINITY, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seconds must be finite and at least 0: Infinity");
        assertThat(new RunReport("hash", 0, report().quality(), Double.MIN_VALUE, 0).edgesPerSecond())
                .isZero();
    }

    @Test
    void writesAndReadsTheKeysOfTheOtherKind() {
        assertThat(new String(ReportJson.toBytes(vertexReport()), StandardCharsets.UTF_8))
                .isEqualTo(VERTEX_REPORT);
        assertThat(read(VERTEX_REPORT)).isEqualTo(vertexReport());
        assertThat((read(VERTEX_REPORT).quality()).cutEdges().orElseThrow()).isEqualTo(2);
    }

    @Test
    void tellsOfRemovalsOfWhatWasNotThereOnlyIfThereWereAny() {
        String some = REPORT.replace("\"deadLetters\":1,", "\"deadLetters\":1,\"unknownRemovals\":3,");
        assertThat(new String(ReportJson.toBytes(report().withUnknownRemovals(3)), StandardCharsets.UTF_8))
                .isEqualTo(some);
        assertThat(read(some)).isEqualTo(report().withUnknownRemovals(3));
        assertThat(read(REPORT).unknownRemovals()).isZero();
    }

    @Test
    void tellsTheTopicPartitionsOfTheShardsIfThereAreAnyAndLeavesOutThePartitionsWhenItIsShort() {
        RunReport report = report().withShardTopicPartitions(32);
        assertThat(ReportJson.read(ReportJson.toBytes(report))).isEqualTo(report);
        assertThat(new String(ReportJson.toShortBytes(report), StandardCharsets.UTF_8))
                .contains("\"shardTopicPartitions\":32,", "\"edges\":", "\"seconds\":")
                .doesNotContain("perPartition");
        assertThat(new String(ReportJson.toBytes(report()), StandardCharsets.UTF_8))
                .doesNotContain("shardTopicPartitions");
    }

    @Test
    void startUpIsNoPartOfTheRate() {
        String some = REPORT.replace(
                "\"seconds\":0.5,\"edgesPerSecond\":16.0,",
                "\"seconds\":0.5,\"startUpSeconds\":0.25,\"edgesPerSecond\":32.0,");
        assertThat(new String(ReportJson.toBytes(report().withStartUp(0.25)), StandardCharsets.UTF_8))
                .isEqualTo(some);
        assertThat(read(some)).isEqualTo(report().withStartUp(0.25));
        assertThat(read(REPORT).startUpSeconds()).isZero();
        assertThat(report().withStartUp(0.5).edgesPerSecond()).isZero();
        assertThatThrownBy(() -> report().withStartUp(0.6))
                .hasMessage("startUpSeconds must be at least 0 and at most 0.5: 0.6");
    }

    private static RunReport vertexReport() {
        List<PartitionQuality> perPartition =
                List.of(new PartitionQuality(0, 3, 12, 1, 7), new PartitionQuality(1, 1, 4, 2, 3));
        return new RunReport("ldg", 7, Quality.ofVertices(2, 4, 8, 1, perPartition), 0.5, 1 << 20);
    }

    private static RunReport report() {
        return new RunReport(
                "hdrf",
                -5,
                Quality.ofEdges(2, 4, 8, 1, List.of(new PartitionQuality(0, 3, 6), new PartitionQuality(1, 2, 2))),
                0.5,
                1 << 20);
    }

    private static RunReport read(String json) {
        return ReportJson.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static void refuses(String json, String reason) {
        assertThatThrownBy(() -> read(json))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }
}
