package io.cutwater.flink.connector.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

final class ReportRowsOperatorTest {
    private static final int K = 4096;

    @Test
    void partitionsAreReportedOnceForEachCheckpointAndTheWholeGraphEachTime() throws Exception {
        var operator = new ReportRowsOperator(new Topics("g-"), new RunIdentity("hdrf", 7));
        try (var harness = new OneInputStreamOperatorTestHarness<>(operator)) {
            harness.open();
            for (int report = 1; report <= 3; report++) {
                harness.processElement(Tuple2.of(32, quality(report)), 0);
            }
            harness.prepareSnapshotPreBarrier(1);
            harness.prepareSnapshotPreBarrier(2);
            harness.processElement(Tuple2.of(32, quality(4)), 0);
            harness.endInput();

            List<RunReport> whole = new ArrayList<>();
            int shortOnes = 0;
            for (Tuple2<String, byte[]> row : harness.extractOutputValues()) {
                if (row.f0.equals("g-report")) {
                    whole.add(ReportJson.read(row.f1));
                } else {
                    assertThat(row.f0).isEqualTo("g-quality");
                    assertThat(row.f1).hasSizeLessThan(500);
                    shortOnes++;
                }
            }
            assertThat(shortOnes).isEqualTo(4);
            assertThat(whole).extracting(report -> report.quality().vertices()).containsExactly(3L, 4L);
            assertThat(whole).allSatisfy(report -> {
                assertThat(report.shardTopicPartitions()).isEqualTo(32);
                assertThat((report.quality()).perPartition()).hasSize(K);
            });
        }
    }

    private static JobQuality quality(long vertices) {
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int p = 0; p < K; p++) {
            perPartition.add(new PartitionQuality(p, 1, 1));
        }
        return new JobQuality(Quality.ofEdges(K, vertices, K, 0, perPartition), 0, 0);
    }
}
