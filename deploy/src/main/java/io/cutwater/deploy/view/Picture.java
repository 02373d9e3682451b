package io.cutwater.deploy.view;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.XYStyler;

/** Charts side by side, each {@value #WIDTH} by {@value #HEIGHT} pixels. */
public final class Picture {
    public static final int WIDTH = 1000;
    public static final int HEIGHT = 700;

    private static final int COLUMNS = 2;
    private static final int LETTERS = 18;

    static {
        System.setProperty("java.awt.headless", "true"); // no screen is needed, and asking for one may fail
    }

    private final List<XYChart> panels;
    private final int columns;
    private final int rows;

    /**
     * Creates a picture, and gives all panels white paper and letters that are legible at half size.
     *
     * @param panels at least one
     */
    public Picture(List<XYChart> panels) {
        this.panels = List.copyOf(panels);
        panels.forEach(panel -> style(panel.getStyler()));
        columns = Math.min(COLUMNS, panels.size());
        rows = (panels.size() + columns - 1) / columns;
    }

    private static void style(XYStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, LETTERS + 2));
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, LETTERS));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, LETTERS));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, LETTERS - 2));
    }

    /** Returns whether a file's name is one of a picture that can be written: {@code .png} or {@code .svg}. */
    public static boolean canWrite(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".png") || name.endsWith(".svg");
    }

    /** Writes the picture in the format of the file's name; an existing file is replaced atomically. */
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

    private void paint(Graphics2D graphics) {
        for (int i = 0; i < panels.size(); i++) {
            AffineTransform before = graphics.getTransform();
            graphics.translate(i % columns * WIDTH, i / columns * HEIGHT);
            panels.get(i).paint(graphics, WIDTH, HEIGHT);
            graphics.setTransform(before);
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
        // Letters are outlines with nine digits after the point, of which two can be seen.
        String text = bytes.toString(StandardCharsets.UTF_8).replaceAll("(\\.\\d\\d)\\d+", "$1");
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
