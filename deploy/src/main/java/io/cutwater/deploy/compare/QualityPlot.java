package io.cutwater.deploy.compare;

import io.cutwater.deploy.view.AlgorithmStyle;
import io.cutwater.deploy.view.Picture;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.text.Counted;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a comparison: replication factor against balance, a point for each algorithm, a panel for each k. */
public final class QualityPlot {
    private static final int MARKER = 11;
    private static final double MARGIN = 1.03;

    private final Picture picture;

    /**
     * @param input its name, above each panel
     * @param job last report of the live job, which is marked in the panel of its k; null for none
     */
    public QualityPlot(String input, List<Result> results, @Nullable RunReport job) {
        Map<Integer, List<Result>> ofEachCount = results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.report().quality().partitions(), LinkedHashMap::new, Collectors.toList()));
        List<XYChart> panels = new ArrayList<>();
        ofEachCount.forEach((partitions, panel) -> panels.add(panel(
                "%s, %s, %s"
                        .formatted(input, Counted.of(partitions, "partition"), Counted.of(panel.size(), "algorithm")),
                panel,
                job != null && job.quality().partitions() == partitions ? job : null)));
        picture = new Picture(panels);
    }

    private static XYChart panel(String title, List<Result> results, @Nullable RunReport job) {
        Set<PartitioningKind> kinds =
                results.stream().map(result -> result.candidate().kind()).collect(Collectors.toSet());
        XYChart chart = new XYChartBuilder()
                .width(Picture.WIDTH)
                .height(Picture.HEIGHT)
                .theme(ChartTheme.XChart)
                .title(title)
                .xAxisTitle("balance, lower is better: fullest over average (%s)"
                        .formatted(
                                kinds.size() == 2
                                        ? "edges, degrees"
                                        : kinds.contains(PartitioningKind.EDGE) ? "edges" : "degrees"))
                .yAxisTitle("replication factor, lower is better: copies of a vertex")
                .build();
        double maxBalance = 1;
        for (Result result : results) {
            maxBalance = Math.max(maxBalance, result.report().quality().loadBalance());
            XYSeries series = chart.addSeries(
                    name(result, kinds.size() == 2),
                    new double[] {result.report().quality().loadBalance()},
                    new double[] {result.report().quality().replicationFactor()});
            series.setMarkerColor(AlgorithmStyle.colour(result.candidate().algorithm()));
            series.setMarker(AlgorithmStyle.marker(
                    result.candidate().kind(), result.candidate().passes()));
        }
        if (job != null && kinds.contains(job.kind())) {
            Quality now = job.quality();
            maxBalance = Math.max(maxBalance, now.loadBalance());
            XYSeries series = chart.addSeries(
                    String.format(Locale.ROOT, "the job now: %s (%.2f)", job.algorithm(), now.replicationFactor()),
                    new double[] {now.loadBalance()},
                    new double[] {now.replicationFactor()});
            series.setMarkerColor(Color.BLACK);
            series.setMarker(SeriesMarkers.CROSS);
        }
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(MARKER);
        chart.getStyler().setXAxisMin(1.0);
        chart.getStyler().setXAxisMax(maxBalance * MARGIN);
        chart.getStyler().setYAxisMin(1.0);
        chart.getStyler().setXAxisDecimalPattern("0.00");
        chart.getStyler().setYAxisDecimalPattern("0.0");
        return chart;
    }

    private static String name(Result result, boolean withKind) {
        Candidate candidate = result.candidate();
        return String.format(
                Locale.ROOT,
                "%s%s, %s (%.2f)",
                withKind ? candidate.kind().label() + ": " : "",
                candidate.algorithm(),
                candidate.label(),
                result.report().quality().replicationFactor());
    }

    /** Writes the picture as {@link Picture#write} does. */
    public void write(Path file) throws IOException {
        picture.write(file);
    }
}
