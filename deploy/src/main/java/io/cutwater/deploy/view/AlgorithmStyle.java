package io.cutwater.deploy.view;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.awt.Color;
import java.util.Map;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How algorithms are drawn, in every picture alike: the colour is that of the algorithm, live and bulk, of edges and of
 * vertices; the marker shows kind and passes. Colours have a contrast of at least 4.5 with white (WCAG 2.2, 1.4.3).
 */
public final class AlgorithmStyle {
    private static final Map<String, Color> COLOURS = Map.ofEntries(
            Map.entry("hash", new Color(0x000000)),
            Map.entry("grid", new Color(0x0072B2)),
            Map.entry("dbh", new Color(0x00735C)),
            Map.entry("greedy", new Color(0x9C2A7E)),
            Map.entry("hdrf", new Color(0x8A6100)),
            Map.entry("2ps-l", new Color(0x3A7D0A)),
            Map.entry("sigma-edge", new Color(0x6A3FE0)),
            Map.entry("sigma-vertex", new Color(0x6A3FE0)),
            Map.entry("cutwater", new Color(0xB33C00)),
            Map.entry("ldg", new Color(0xA04D60)),
            Map.entry("fennel", new Color(0xD01050)),
            Map.entry("grem", new Color(0x10207A)),
            Map.entry("spring", new Color(0x5A2A1A)));

    /** Algorithms in jars of users. */
    private static final Color OTHER = new Color(0x5F6B1A);

    private AlgorithmStyle() {}

    /** Returns the colour of an algorithm on white. */
    public static Color colour(String algorithm) {
        return COLOURS.getOrDefault(algorithm, OTHER);
    }

    /** Returns the colour of an algorithm on white as {@code #rrggbb}. */
    public static String hex(String algorithm) {
        return "#%06x".formatted(colour(algorithm).getRGB() & 0xFFFFFF);
    }

    /** Returns the marker of a point: circle and square for edges, triangle and diamond for vertices, live and bulk. */
    public static Marker marker(PartitioningKind kind, PassMode passes) {
        boolean isBulk = passes == PassMode.BULK;
        return kind == PartitioningKind.EDGE
                ? isBulk ? SeriesMarkers.SQUARE : SeriesMarkers.CIRCLE
                : isBulk ? SeriesMarkers.DIAMOND : SeriesMarkers.TRIANGLE_UP;
    }
}
