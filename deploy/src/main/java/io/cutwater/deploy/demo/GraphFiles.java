package io.cutwater.deploy.demo;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.state.graph.EdgeBatch;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The whole graph in files as {@code train --centralised} takes them, written as it grows. Used by one thread. */
final class GraphFiles implements Closeable {
    private final Path edgeFile;
    private final VertexFiles vertexFiles;
    private final Writer edges;
    private final Writer features;
    private final Writer split;

    /** @param folder exists, and has no files of another graph */
    GraphFiles(Path folder) throws IOException {
        edgeFile = folder.resolve("edges.txt");
        Path table = folder.resolve("vertices.csv");
        Path splitFile = folder.resolve("split.txt");
        vertexFiles = new VertexFiles(table, null, splitFile);
        edges = Files.newBufferedWriter(edgeFile);
        features = Files.newBufferedWriter(table);
        split = Files.newBufferedWriter(splitFile);
        features.write("id,label");
        for (int i = 0; i < LabelledGraph.FEATURES; i++) {
            features.write(",f" + i);
        }
        features.write('\n');
    }

    void add(EdgeBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            edges.write(Long.toString(batch.source(i)));
            edges.write(' ');
            edges.write(Long.toString(batch.target(i)));
            edges.write('\n');
        }
    }

    void add(VertexRecord vertex) throws IOException {
        features.write(vertex.vertex() + "," + vertex.label());
        for (float feature : vertex.features().toArray()) {
            features.write("," + feature);
        }
        features.write('\n');
        split.write(vertex.split().label());
        split.write('\n');
    }

    Path edges() {
        return edgeFile;
    }

    VertexFiles vertices() {
        return vertexFiles;
    }

    @Override
    public void close() throws IOException {
        try (edges;
                features;
                split) {
            // each is closed, even if closing another one fails
        }
    }
}
