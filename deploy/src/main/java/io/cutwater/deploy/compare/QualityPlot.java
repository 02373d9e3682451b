package io.cutwater.deploy.compare;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.cutwater.state.partition.PartitioningKind;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.ChartTheme;

/** A picture of a comparison: replication factor against balance, a point for each algorithm, a panel for each k. */
public final class QualityPlot {
    /** Pixels of a panel. */
    static final int WIDTH = 1000;

    static final int HEIGHT = 700;

    private static final int COLUMNS = 2;
    private static final int MARKER = 11;
    private static final double MARGIN = 1.03;

    static {
        System.setProperty("java.awt.headless", "true"); // no screen is needed, and asking for one may fail
    }

    private final List<XYChart> panels = new ArrayList<>();
    private final int columns;
    private final int rows;

    /** @param input its name, above each panel */
    public QualityPlot(String input, List<Result> results) {
        Map<Integer, List<Result>> ofEachCount = results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.report().quality().partitions(), LinkedHashMap::new, Collectors.toList()));
        ofEachCount.forEach((partitions, panel) -> panels.add(
                panel("%s, %,d partitions, %d algorithms".formatted(input, partitions, panel.size()), panel)));
        columns = Math.min(COLUMNS, panels.size());
        rows = (panels.size() + columns - 1) / columns;
    }

    private static XYChart panel(String title, List<Result> results) {
        Set<PartitioningKind> kinds =
                results.stream().map(result -> result.candidate().kind()).collect(Collectors.toSet());
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .theme(ChartTheme.XChart)
                .title(title)
                .xAxisTitle("fullest partition over the average: "
                        + (kinds.size() == 2
                                ? "edges, or the sum of degrees"
                                : kinds.contains(PartitioningKind.EDGE) ? "edges" : "sum of degrees"))
                .yAxisTitle("replication factor: copies of a vertex")
                .build();
        double maxBalance = 1;
        for (Result result : results) {
            maxBalance = Math.max(maxBalance, result.balance());
            chart.addSeries(name(result, kinds.size() == 2), new double[] {result.balance()}, new double[] {
                result.replicationFactor()
            });
        }
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(MARKER);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisMin(1 / MARGIN);
        chart.getStyler().setXAxisMax(maxBalance * MARGIN);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern("0.00");
        chart.getStyler().setYAxisDecimalPattern("0.#");
        return chart;
    }

    private void paint(Graphics2D graphics) {
        for (int i = 0; i < panels.size(); i++) {
            AffineTransform before = graphics.getTransform();
            graphics.translate(i % columns * WIDTH, i / columns * HEIGHT);
            panels.get(i).paint(graphics, WIDTH, HEIGHT);
            graphics.setTransform(before);
        }
    }

    private static String name(Result result, boolean withKind) {
        Candidate candidate = result.candidate();
        return String.format(
                Locale.ROOT,
                "%s%s, %s (%.2f)",
                withKind ? candidate.kind().label() + ": " : "",
                candidate.algorithm(),
                candidate.passesLabel(),
                result.replicationFactor());
    }

    /** Whether a file's name says that it is a picture that can be written: {@code .png} or {@code .svg}. */
    public static boolean canWrite(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".png") || name.endsWith(".svg");
    }

    /** Writes the picture in the format that the file's name tells; a file that is there is replaced as a whole. */
    public void write(Path file) throws IOException {
        byte[] picture = file.toString().toLowerCase(Locale.ROOT).endsWith(".svg") ? svg() : png();
        Path beside = file.resolveSibling("." + file.getFileName() + ".part");
        try {
            Files.write(beside, picture);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private byte[] png() throws IOException {
        BufferedImage image = new BufferedImage(columns * WIDTH, rows * HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        paint(graphics);
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
    }

    private byte[] svg() throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        paint(graphics);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new SVGProcessor()
                .getDocument(graphics.getCommands(), new PageSize(columns * WIDTH, rows * HEIGHT))
                .writeTo(bytes);
        return bytes.toByteArray();
    }
}
