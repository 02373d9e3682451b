package io.cutwater.kafka.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.quality.QualityReport;
import io.cutwater.state.quality.QualityReport.PartitionQuality;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
    private static final String REPORT = "{\"algorithm\":\"hdrf\",\"kind\":\"edge\",\"partitions\":2,\"seed\":-5,"
            + "\"vertices\":4,\"edges\":8,\"deadLetters\":1,\"replicationFactor\":1.25,\"edgeBalance\":1.5,"
            + "\"vertexBalance\":1.2,\"seconds\":0.5,\"edgesPerSecond\":16.0,\"peakMemoryBytes\":1048576,"
            + "\"perPartition\":[{\"partition\":0,\"vertices\":3,\"edges\":6},"
            + "{\"partition\":1,\"vertices\":2,\"edges\":2}]}";

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
    void skipsKeysItDoesNotKnow() {
        assertThat(read(REPORT.replace("{\"algorithm\"", "{\"epochs\":3,\"algorithm\"")))
                .isEqualTo(report());
    }

    @Test
    void namesTheKeyThatIsMissingOrWrong() {
        refuses(REPORT.replace("\"seed\":-5,", ""), "the report has no key seed");
        refuses(REPORT.replace("\"edges\":8", "\"edges\":8.5"), "key edges of the report is not a 64-bit integer");
        refuses(REPORT.replace("\"hdrf\"", "7"), "key algorithm of the report is not a string");
        refuses(REPORT.replace("16.0", "\"16.0\""), "key edgesPerSecond of the report is not a number");
        refuses(REPORT.replace("\"partitions\":2", "\"partitions\":4294967298"), "partitions of the report is out of");
        refuses(REPORT.replace("\"edge\"", "\"vertex\""), "kind must be edge: vertex");
        refuses("[]", "the report has no key perPartition");
        refuses("", "the report has no key perPartition");
    }

    @Test
    void refusesEveryTruncationWithASentence() {
        for (int length = 0; length < REPORT.length(); length++) {
            refuses(REPORT.substring(0, length), "the report ");
        }
    }

    @Test
    void refusesARateThatJsonCannotCarry() {
        assertThatThrownBy(() -> new RunReport("hash", "edge", 0, report().quality(), 0, Double.POSITIVE_INFINITY, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("edgesPerSecond must be finite and at least 0: Infinity");
    }

    private static RunReport report() {
        return new RunReport(
                "hdrf",
                "edge",
                -5,
                new QualityReport(2, 4, 8, 1, List.of(new PartitionQuality(0, 3, 6), new PartitionQuality(1, 2, 2))),
                0.5,
                16,
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
