package io.cutwater.deploy.cli.training.progress;

import io.cutwater.deploy.view.Picture;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.round.Traffic;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws loss, accuracy and the rows that shards exchange by epoch. */
public final class LearningCurves implements RoundListener {
    private static final List<VertexSplit> SPLITS = List.of(VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST);

    /** Colours of the curves, equal in all panels, and dark enough for white paper. */
    private static final Map<VertexSplit, Color> COLOURS = Map.of(
            VertexSplit.TRAIN, new Color(0x00735C),
            VertexSplit.VAL, new Color(0x0072B2),
            VertexSplit.TEST, new Color(0xB33C00));

    private static final Color SENT = new Color(0x6A3FE0);
    private static final Color AVOIDED = new Color(0x8A6100);

    private final List<RoundReport> rounds = new ArrayList<>();

    @Override
    public void roundDone(RoundReport report) {
        rounds.add(report);
    }

    @Override
    public void shardMissing(int round, int shard, String sentence) {}

    /** @param title above each panel */
    public void write(String title, Path file) throws IOException {
        new Picture(panels(title)).write(file);
    }

    List<XYChart> panels(String title) {
        double[] epochs = rounds.stream().mapToDouble(RoundReport::epochs).toArray();
        XYChart loss = panel(title, "loss, lower is better");
        XYChart accuracy = panel(title, "accuracy, higher is better");
        loss.getStyler().setYAxisDecimalPattern("0.0#");
        accuracy.getStyler().setYAxisMax(1.0);
        accuracy.getStyler().setYAxisDecimalPattern("0.0");
        if (epochs.length > 0) {
            add(
                    loss,
                    "in training",
                    epochs,
                    rounds.stream().mapToDouble(round -> round.work().loss()).toArray(),
                    Color.DARK_GRAY);
            for (VertexSplit split : SPLITS) {
                if (rounds.get(0).counts().total(split) > 0) {
                    String name = "tested on " + split.label();
                    add(
                            loss,
                            name,
                            epochs,
                            rounds.stream()
                                    .mapToDouble(round -> round.counts().loss(split))
                                    .toArray(),
                            COLOURS.get(split));
                    add(
                            accuracy,
                            name,
                            epochs,
                            rounds.stream()
                                    .mapToDouble(round -> round.counts().accuracy(split))
                                    .toArray(),
                            COLOURS.get(split));
                }
            }
        }
        List<XYChart> panels = new ArrayList<>(List.of(loss, accuracy));
        if (rounds.stream().anyMatch(round -> !round.traffic().equals(Traffic.NONE))) {
            panels.add(traffic(title, epochs));
        }
        return panels;
    }

    private XYChart traffic(String title, double[] epochs) {
        XYChart bytes = panel(title, "bytes of rows per round, fewer sent is better");
        add(bytes, "sent", epochs, bytes(traffic -> traffic.forwardSent() + traffic.backwardSent()), SENT);
        add(bytes, "avoided", epochs, bytes(Traffic::avoided), AVOIDED);
        return bytes;
    }

    private double[] bytes(ToDoubleFunction<Traffic> of) {
        return rounds.stream().map(RoundReport::traffic).mapToDouble(of).toArray();
    }

    private static void add(XYChart chart, String name, double[] epochs, double[] values, @Nullable Color colour) {
        XYSeries series = chart.addSeries(name, epochs, values);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(colour);
    }

    private static XYChart panel(String title, String what) {
        XYChart chart = new XYChartBuilder()
                .width(Picture.WIDTH)
                .height(Picture.HEIGHT)
                .theme(ChartTheme.XChart)
                .title(title)
                .xAxisTitle("epoch")
                .yAxisTitle(what)
                .build();
        chart.getStyler().setYAxisMin(0.0);
        return chart;
    }
}
