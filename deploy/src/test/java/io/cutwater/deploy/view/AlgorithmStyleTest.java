package io.cutwater.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.style.markers.Marker;

class AlgorithmStyleTest {
    /** The own algorithms by the name of their family: sigma is one idea for edges and for vertices. */
    private static Map<String, Color> colours() {
        Map<String, Color> colours = new LinkedHashMap<>();
        for (PartitioningKind kind : PartitioningKind.values()) {
            for (String name : Algorithms.names(kind)) {
                Color colour = AlgorithmStyle.colour(name);
                Color before = colours.putIfAbsent(name.replaceFirst("^sigma-.*", "sigma"), colour);
                assertThat(before == null || before.equals(colour)).as(name).isTrue();
            }
        }
        return colours;
    }

    @Test
    void everyAlgorithmHasAColourOfItsOwn() {
        Map<String, Color> colours = colours();
        assertThat(colours).containsKeys("hash", "sigma", "cutwater").hasSize(12);
        colours.put("of a user", AlgorithmStyle.colour("of a user"));
        colours.forEach((one, colour) -> colours.forEach((other, second) -> {
            if (!one.equals(other)) {
                assertThat(distance(colour, second)).as("%s and %s", one, other).isGreaterThan(24);
            }
        }));
    }

    @Test
    void coloursAreLegibleOnWhite() {
        colours()
                .forEach((name, colour) ->
                        assertThat(1.05 / (luminance(colour) + 0.05)).as(name).isGreaterThanOrEqualTo(4.5));
        assertThat(AlgorithmStyle.hex("cutwater")).isEqualTo("#b33c00");
    }

    @Test
    void markersShowKindAndPasses() {
        Marker[] markers = {
            AlgorithmStyle.marker(PartitioningKind.EDGE, PassMode.LIVE),
            AlgorithmStyle.marker(PartitioningKind.EDGE, PassMode.BULK),
            AlgorithmStyle.marker(PartitioningKind.VERTEX, PassMode.LIVE),
            AlgorithmStyle.marker(PartitioningKind.VERTEX, PassMode.BULK)
        };
        assertThat(markers).doesNotHaveDuplicates();
    }

    /** Relative luminance (WCAG 2.2). */
    private static double luminance(Color colour) {
        return 0.2126 * linear(colour.getRed())
                + 0.7152 * linear(colour.getGreen())
                + 0.0722 * linear(colour.getBlue());
    }

    private static double linear(int value) {
        double share = value / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }

    /** Distance of two colours in CIELAB (CIE 1976, white D65): 2 can just be seen. */
    private static double distance(Color one, Color other) {
        double[] a = lab(one);
        double[] b = lab(other);
        return Math.sqrt(Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2) + Math.pow(a[2] - b[2], 2));
    }

    private static double[] lab(Color colour) {
        double r = linear(colour.getRed());
        double g = linear(colour.getGreen());
        double b = linear(colour.getBlue());
        double x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
        double y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
        double z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double root(double t) {
        return t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    }
}
