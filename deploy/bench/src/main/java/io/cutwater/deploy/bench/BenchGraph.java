package io.cutwater.deploy.bench;

import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Edge files for the benchmarks. */
final class BenchGraph {
    private BenchGraph() {}

    /**
     * Returns the file that a name stands for.
     *
     * @param name a path; {@code rmat:SCALE:EDGES}, ids below 2^SCALE; or {@code uniform:VERTICES:EDGES}, both ends of
     *     an edge at random, so that nothing but the number of vertices matters
     * @param folder for generated files
     */
    static Path file(String name, Path folder) throws IOException {
        String[] parts = name.split(":", -1);
        if (parts.length != 3) {
            return Path.of(name);
        }
        long edges = Long.parseLong(parts[2]);
        Path file = folder.resolve(name.replace(':', '-') + ".txt");
        if (parts[0].equals("rmat")) {
            SyntheticGraph graph = SyntheticGraph.rmat(Integer.parseInt(parts[1]), Algorithms.DEFAULT_SEED);
            write(file, edges, graph::fill);
        } else if (parts[0].equals("uniform")) {
            long vertices = Long.parseLong(parts[1]);
            SplittableRandom random = new SplittableRandom(Algorithms.DEFAULT_SEED);
            write(file, edges, (batch, count) -> {
                for (int i = 0; i < count; i++) {
                    batch.add(random.nextLong(vertices), random.nextLong(vertices));
                }
            });
        } else {
            throw new IllegalArgumentException("a graph is rmat:SCALE:EDGES or uniform:VERTICES:EDGES: " + name);
        }
        return file;
    }

    private interface Source {
        void fill(EdgeBatch batch, int count) throws IOException;
    }

    /**
     * Writes the first quarter of the edges of a graph to a file of their own.
     *
     * @param folder for that file
     */
    static Path firstQuarter(Path graph, Path folder) throws IOException {
        long edges = 0;
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = open(graph)) {
            for (; reader.read(batch, EdgeBatch.DEFAULT_CAPACITY); batch.clear()) {
                edges += batch.size();
            }
        }
        Path file = folder.resolve("first-quarter.txt");
        try (EdgeFileReader reader = open(graph)) {
            write(file, edges / 4, (into, count) -> reader.read(into, count));
        }
        return file;
    }

    private static EdgeFileReader open(Path graph) throws IOException {
        return EdgeFiles.open(graph, EdgeFileFormat.ofName(graph), EdgeFilePosition.START);
    }

    private static void write(Path file, long edges, Source source) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        try (Writer text = Files.newBufferedWriter(file)) {
            for (long left = edges; left > 0; left -= batch.size()) {
                batch.clear();
                source.fill(batch, (int) Math.min(left, EdgeBatch.DEFAULT_CAPACITY));
                for (int i = 0; i < batch.size(); i++) {
                    text.write(batch.source(i) + " " + batch.target(i) + "\n");
                }
            }
        }
    }

    static EdgeInput.Files input(Path file) throws IOException {
        return new EdgeInput.Files(
                List.of(new EdgeFile(file.toString(), EdgeFileFormat.ofName(file), Files.size(file))));
    }
}
