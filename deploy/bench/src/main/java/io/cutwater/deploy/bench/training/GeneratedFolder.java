package io.cutwater.deploy.bench.training;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;

/** Writes a folder as {@link DatasetFolder} reads it: an R-MAT graph with random features and classes. */
final class GeneratedFolder {
    private static final String PREFIX = "rmat:";
    private static final int CLASSES = 16;

    private GeneratedFolder() {}

    /** Returns whether a name is {@code rmat:SCALE:EDGES:COLUMNS} and not a folder. */
    static boolean isName(String name) {
        return name.startsWith(PREFIX);
    }

    /**
     * Writes the files of a graph of 2^SCALE vertices.
     *
     * @param name {@code rmat:SCALE:EDGES:COLUMNS}
     * @param within existing folder
     * @return a new folder
     * @throws IllegalArgumentException if there is no such graph; the message is meant for users
     */
    static Path write(String name, Path within) throws IOException {
        String[] parts = name.split(":", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("a graph is FOLDER or rmat:SCALE:EDGES:COLUMNS, but was " + name);
        }
        int scale = Integer.parseInt(parts[1]);
        int edges = Integer.parseInt(parts[2]);
        int columns = Integer.parseInt(parts[3]);
        Path folder = Files.createDirectory(within.resolve(name.replace(':', '-')));
        SyntheticGraph graph = SyntheticGraph.rmat(scale, Algorithms.DEFAULT_SEED);
        EdgeBatch drawn = new EdgeBatch();
        graph.fill(drawn, edges);
        lines(folder.resolve("edges.txt.gz"), edges, i -> drawn.source(i) + " " + drawn.target(i));
        SplittableRandom random = new SplittableRandom(Algorithms.DEFAULT_SEED);
        lines(folder.resolve("features.svm.gz"), 1 << scale, vertex -> {
            StringBuilder row = new StringBuilder().append(vertex % CLASSES);
            for (int column = 1; column <= columns; column++) {
                row.append(' ').append(column).append(':').append(1 + random.nextInt(999) / 1000f);
            }
            return row.toString();
        });
        lines(folder.resolve("labels.txt.gz"), 1 << scale, vertex -> String.valueOf(vertex % CLASSES));
        lines(folder.resolve("split.60-20-20.txt.gz"), 1 << scale, vertex -> switch (vertex % 10) {
            case 0, 1 -> "val";
            case 2, 3 -> "test";
            default -> "train";
        });
        return folder;
    }

    private static void lines(Path file, int count, IntFunction<String> line) throws IOException {
        try (Writer writer =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
            for (int i = 0; i < count; i++) {
                writer.write(line.apply(i) + "\n");
            }
        }
    }
}
