package io.cutwater.deploy.cli.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.view.AlgorithmStyle;
import io.cutwater.testkit.CommandRun;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

/** The pictures of {@code compare --plot}. */
class ComparePictureTest {
    @TempDir
    private Path folder;

    private Cliques cliques;

    @BeforeEach
    void writeCliques() throws IOException {
        cliques = new Cliques(folder);
    }

    @Test
    void thePictureIsAPng() throws IOException {
        Path picture = folder.resolve("quality.png");
        Files.writeString(picture, "an older one");

        CommandRun run = cliques.compare("--partitions 2 --kind both --plot " + picture);

        assertThat(run.exitCode()).as(run.err()).isZero();
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(1000);
        assertThat(image.getHeight()).isEqualTo(700);
        assertThat(colours(image, 0, 0)).isGreaterThan(10);
        assertThat(image.getRGB(0, 650, 8, 50, null, 0, 8))
                .as("the title of the axis begins in the picture")
                .containsOnly(Color.WHITE.getRGB());
        assertThat(names()).containsExactlyInAnyOrder("cliques.txt", "quality.png");
    }

    @ParameterizedTest
    @CsvSource({"'2,3', 2000, 700", "'2,3,4', 2000, 1400"})
    void thePictureHasAPanelForEachNumberOfPartitions(String partitions, int width, int height) throws IOException {
        Path picture = folder.resolve("panels.png");

        CommandRun run = cliques.compare("--algorithms hash,hdrf --partitions " + partitions + " --plot " + picture);

        assertThat(run.exitCode()).as(run.err()).isZero();
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(width);
        assertThat(image.getHeight()).isEqualTo(height);
        assertThat(hasColour(image, "grid")).isFalse();
        assertThat(hasColour(image, "hdrf")).isTrue();
        assertThat(hasColour(image, "cutwater")).isFalse();
        // Each panel has more on it than the white of the paper.
        assertThat(colours(image, 1000, 0)).isGreaterThan(10);
        assertThat(colours(image, 0, height - 700)).isGreaterThan(10);
    }

    @Test
    void thePictureIsAnSvgThatXmlReadersRead() throws Exception {
        Path picture = folder.resolve("quality.SVG");

        CommandRun run = cliques.compare("--partitions 2 --plot " + picture);

        assertThat(run.exitCode()).as(run.err()).isZero();
        DocumentBuilderFactory readers = DocumentBuilderFactory.newInstance();
        // The schema of SVG is on a server of its own.
        readers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element root = readers.newDocumentBuilder().parse(picture.toFile()).getDocumentElement();
        assertThat(root.getTagName()).isEqualTo("svg");
        assertThat(root.getAttribute("viewBox")).isEqualTo("0 0 1000 700");
        assertThat(root.getElementsByTagName("path").getLength()).isGreaterThan(20);
    }

    private static boolean hasColour(BufferedImage image, String algorithm) {
        int colour = AlgorithmStyle.colour(algorithm).getRGB();
        return Arrays.stream(image.getRGB(0, 0, 1000, 700, null, 0, 1000)).anyMatch(point -> point == colour);
    }

    private static long colours(BufferedImage image, int left, int top) {
        return Arrays.stream(image.getRGB(left, top, 1000, 700, null, 0, 1000))
                .distinct()
                .count();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).map(Path::toString).toList();
        }
    }
}
