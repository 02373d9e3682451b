package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.view.AlgorithmStyle;
import io.cutwater.deploy.view.Picture;
import io.cutwater.format.json.RunReport;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.ReplicasByDegree;
import io.cutwater.state.text.Counted;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a partitioning: the load of each partition against the cap, and the replicas of vertices against their degree.
 */
final class PartitionPlot {
    private static final int MARKER = 9;
    private static final double MARGIN = 1.1;
    private static final Color VERTICES = new Color(0x0072B2);
    private static final Color LINES = new Color(0x444444);
    private static final BasicStroke DASHED =
            new BasicStroke(2.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {9, 6}, 0);
    private static final BasicStroke DOTTED =
            new BasicStroke(2.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {2, 5}, 0);

    private final RunReport report;
    private final Quality quality;
    private final boolean isOfVertices;
    private final double cap;
    private final List<ReplicasByDegree.Bin> replicas;
    private final Color colour;
    private final Marker marker;
    private final String title;

    /**
     * @param input its name, for the title
     * @param cap allowed load of a partition over the average, at least 1
     * @param replicas of the vertices of each degree
     */
    PartitionPlot(String input, RunReport report, PassMode passes, double cap, List<ReplicasByDegree.Bin> replicas) {
        this.report = report;
        this.cap = cap;
        this.replicas = replicas;
        quality = report.quality();
        isOfVertices = report.kind() == PartitioningKind.VERTEX;
        colour = AlgorithmStyle.colour(report.algorithm());
        marker = AlgorithmStyle.marker(report.kind(), passes);
        title = "%s, %s of %s, %s"
                .formatted(
                        input,
                        report.algorithm(),
                        isOfVertices ? "vertices" : "edges",
                        Counted.of(quality.partitions(), "partition"));
    }

    /** Writes the picture as {@link Picture#write} does. */
    void write(Path file) throws IOException {
        new Picture(List.of(loads(), degrees())).write(file);
    }

    private XYChart loads() {
        XYChart chart = chart("partition", "load over the average, 1 is even");
        double[] numbers = quality.perPartition().stream()
                .mapToDouble(PartitionQuality::partition)
                .toArray();
        double[] work = relative(isOfVertices ? PartitionQuality::volume : PartitionQuality::edges);
        double[] vertices = relative(PartitionQuality::vertices);
        points(chart, isOfVertices ? "sum of degrees" : "edges", numbers, work, colour, marker);
        points(chart, "vertices", numbers, vertices, VERTICES, SeriesMarkers.TRIANGLE_DOWN);
        double[] ends = {0, Math.max(1, quality.partitions() - 1)};
        String allowed = String.format(Locale.ROOT, "%s allowed: %.2f", isOfVertices ? "vertices" : "edges", cap);
        line(chart, allowed, ends, new double[] {cap, cap}, DASHED);
        line(chart, "even", ends, new double[] {1, 1}, DOTTED);
        chart.getStyler().setXAxisMin(ends[0]).setXAxisMax(ends[1]);
        chart.getStyler().setXAxisDecimalPattern("0");
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(Math.max(cap, max(work, vertices)) * MARGIN);
        chart.getStyler().setYAxisDecimalPattern("0.00");
        chart.getStyler().setLegendPosition(LegendPosition.InsideSE);
        return chart;
    }

    private double[] relative(ToDoubleFunction<PartitionQuality> of) {
        double sum = quality.perPartition().stream().mapToDouble(of).sum();
        double average = sum / quality.partitions();
        return quality.perPartition().stream()
                .mapToDouble(partition -> average == 0 ? 0 : of.applyAsDouble(partition) / average)
                .toArray();
    }

    private XYChart degrees() {
        XYChart chart = chart("degree of a vertex", "replicas of a vertex, lower is better");
        double[] degrees =
                replicas.stream().mapToDouble(bin -> Math.max(1, bin.degree())).toArray();
        double[] means =
                replicas.stream().mapToDouble(ReplicasByDegree.Bin::replicas).toArray();
        double[] random = Arrays.stream(degrees)
                .map(degree -> ReplicasByDegree.random(degree, quality.partitions(), isOfVertices))
                .toArray();
        if (degrees.length > 0) {
            points(
                    chart,
                    String.format(Locale.ROOT, "%s: %.2f on average", report.algorithm(), quality.replicationFactor()),
                    degrees,
                    means,
                    colour,
                    marker);
            line(chart, "random placement, expected", degrees, random, DASHED);
            chart.getStyler().setXAxisMin(1.0).setXAxisMax(Math.max(2, max(degrees)) * MARGIN);
        }
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(1.0);
        chart.getStyler().setYAxisMax(Math.max(2, Math.max(max(means), max(random))));
        chart.getStyler().setYAxisDecimalPattern("0.0");
        chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
        return chart;
    }

    private static double max(double[]... values) {
        return Arrays.stream(values).flatMapToDouble(DoubleStream::of).max().orElse(0);
    }

    private XYChart chart(String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(Picture.WIDTH)
                .height(Picture.HEIGHT)
                .theme(ChartTheme.XChart)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setMarkerSize(MARKER);
        return chart;
    }

    private static void points(XYChart chart, String name, double[] x, double[] y, Color colour, Marker marker) {
        XYSeries series = chart.addSeries(name, x, y);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        series.setMarker(marker);
        series.setMarkerColor(colour);
    }

    private static void line(XYChart chart, String name, double[] x, double[] y, BasicStroke stroke) {
        XYSeries series = chart.addSeries(name, x, y);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Line);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(LINES);
        series.setLineStyle(stroke);
    }
}
