package io.cutwater.deploy.bench.training;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * A folder with {@code edges.txt.gz}, {@code features.svm.gz}, {@code labels.txt.gz} and {@code split.NAME.txt.gz} of a
 * graph whose vertices are 0 to n − 1.
 */
final class DatasetFolder {
    /** as Shchur et al. (2018) draw them */
    private static final int TRAINING_PER_CLASS = 20;

    private static final int VALIDATION_PER_CLASS = 30;

    private final Path folder;
    private final Path scratch;
    private final AccuracySettings settings;
    private final EdgeBatch edges = new EdgeBatch();
    private final int[] classes;
    private final boolean[] isOutside;

    /** @param scratch a folder for files that are derived from those that exist */
    DatasetFolder(Path folder, AccuracySettings settings, Path scratch) throws IOException {
        this.folder = folder;
        this.settings = settings;
        this.scratch = scratch;
        Path file = folder.resolve("edges.txt.gz");
        try (EdgeFileReader reader = EdgeFiles.open(file, EdgeFileFormat.TEXT, EdgeFilePosition.START)) {
            EdgeBatch batch = new EdgeBatch();
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                edges.addAll(batch);
                batch.clear();
            }
        }
        classes = lines("labels").stream().mapToInt(Integer::parseInt).toArray();
        isOutside = new boolean[classes.length];
        if (settings.isLargestComponent()) {
            markOutsideLargestComponent();
        }
    }

    int vertexCount() {
        return classes.length;
    }

    EdgeBatch edges() {
        return edges;
    }

    private List<String> lines(String name) throws IOException {
        try (BufferedReader reader = open(folder.resolve(name + ".txt.gz"))) {
            return reader.lines().map(String::trim).toList();
        }
    }

    private static BufferedReader open(Path file) throws IOException {
        return new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8));
    }

    private void markOutsideLargestComponent() {
        int[] parents = new int[classes.length];
        int[] sizes = new int[classes.length];
        Arrays.setAll(parents, i -> i);
        for (int i = 0; i < edges.size(); i++) {
            parents[root(parents, (int) edges.source(i))] = root(parents, (int) edges.target(i));
        }
        int largest = 0;
        for (int vertex = 0; vertex < classes.length; vertex++) {
            int root = root(parents, vertex);
            sizes[root]++;
            largest = sizes[root] > sizes[largest] ? root : largest;
        }
        for (int vertex = 0; vertex < classes.length; vertex++) {
            isOutside[vertex] = root(parents, vertex) != largest;
        }
    }

    private static int root(int[] parents, int vertex) {
        int root = vertex;
        while (parents[root] != root) {
            parents[root] = parents[parents[root]];
            root = parents[root];
        }
        return root;
    }

    /** Returns the vertex data, with the split of a seed if splits are drawn. */
    VertexData data(long seed) throws IOException {
        List<String> split =
                new ArrayList<>(settings.isSplitDrawn() ? drawnSplit(seed) : lines("split." + settings.text("split")));
        for (int vertex = 0; vertex < split.size(); vertex++) {
            if (isOutside[vertex]) {
                split.set(vertex, "none");
            }
        }
        Path splitFile = scratch.resolve("split-%d.txt".formatted(seed));
        Files.write(splitFile, split);
        return VertexData.of(
                new VertexFiles(features(), folder.resolve("labels.txt.gz"), splitFile),
                settings.scaling(),
                ShapeOptions.FOUND);
    }

    private List<String> drawnSplit(long seed) {
        List<List<Integer>> byClass = new ArrayList<>();
        for (int vertex = 0; vertex < classes.length; vertex++) {
            while (byClass.size() <= classes[vertex]) {
                byClass.add(new ArrayList<>());
            }
            if (classes[vertex] >= 0 && !isOutside[vertex]) {
                byClass.get(classes[vertex]).add(vertex);
            }
        }
        List<String> split = new ArrayList<>(Collections.nCopies(classes.length, "test"));
        Random random = new Random(seed);
        for (List<Integer> vertices : byClass) {
            Collections.shuffle(vertices, random);
            for (int i = 0; i < Math.min(vertices.size(), TRAINING_PER_CLASS + VALIDATION_PER_CLASS); i++) {
                split.set(vertices.get(i), i < TRAINING_PER_CLASS ? "train" : "val");
            }
        }
        return split;
    }

    private Path features() throws IOException {
        Path file = folder.resolve("features.svm.gz");
        if (!settings.isBinary()) {
            return file;
        }
        Path binary = scratch.resolve("features.svm");
        if (!Files.exists(binary)) {
            try (BufferedReader reader = open(file);
                    Writer writer = Files.newBufferedWriter(binary)) {
                for (String line; (line = reader.readLine()) != null; ) {
                    writer.write(line.replaceAll(":\\S+", ":1") + "\n");
                }
            }
        }
        return binary;
    }
}
