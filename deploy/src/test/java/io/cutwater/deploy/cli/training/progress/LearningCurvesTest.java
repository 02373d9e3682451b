package io.cutwater.deploy.cli.training.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.ShardCut;
import java.awt.Color;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.XYChart;

class LearningCurvesTest {
    private static LearningCurves curves(Traffic traffic) {
        LearningCurves curves = new LearningCurves();
        for (int round = 1; round <= 3; round++) {
            AccuracyCounts counts = new AccuracyCounts();
            for (VertexSplit split : new VertexSplit[] {VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST}) {
                counts.right()[split.ordinal()] = round;
                counts.total()[split.ordinal()] = 4;
            }
            curves.roundDone(new RoundReport(
                    round,
                    round,
                    new EpochReport(5, 10, 7, 1000, 400, 100, 40, 0),
                    counts,
                    1,
                    0,
                    64,
                    traffic,
                    new Locality(20, 19, 400, 300),
                    0.5,
                    new ShardCut(1, List.of(5L), List.of(9L)),
                    new ShardSize(30, 70)));
        }
        return curves;
    }

    @Test
    void everyPanelSaysWhichDirectionIsBetter() {
        List<XYChart> panels = curves(new Traffic(10, 20, 30, 40, 50)).panels("graph: gcn, seed 1");

        assertThat(panels.stream().map(XYChart::getYAxisTitle))
                .containsExactly(
                        "loss, lower is better",
                        "accuracy, higher is better",
                        "bytes of rows per round, fewer sent is better");
        assertThat(panels).allSatisfy(panel -> {
            assertThat(panel.getTitle()).isEqualTo("graph: gcn, seed 1");
            assertThat(panel.getStyler().getYAxisMin()).isZero();
        });
        assertThat(curves(Traffic.NONE).panels("t")).hasSize(2);
    }

    @Test
    void aColourMeansTheSameInAllPanels() {
        Map<String, Color> colours = new HashMap<>();
        for (XYChart panel : curves(new Traffic(10, 20, 30, 40, 50)).panels("t")) {
            panel.getSeriesMap().forEach((name, series) -> {
                Color before = colours.putIfAbsent(name, series.getLineColor());
                assertThat(before == null || before.equals(series.getLineColor()))
                        .as(name)
                        .isTrue();
            });
        }
        assertThat(colours)
                .containsOnlyKeys(
                        "in training", "tested on train", "tested on val", "tested on test", "sent", "avoided");
        assertThat(colours.values()).doesNotHaveDuplicates();
    }
}
