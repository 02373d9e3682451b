package io.cutwater.format.metis;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.ByteSource;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A reader of the edges of a METIS file: vertex lines of 1-based neighbours, read as 0-based ids. Each undirected edge
 * is returned once, from the line of its smaller endpoint. Any error ends the reading, because the vertices of all
 * later lines would be uncertain.
 */
public final class MetisEdgeReader implements EdgeFileReader {
    private final Path file;
    private final MetisScanner scanner;
    private final MetisHeader header;

    private long vertex;
    private long edges;
    private boolean isInLine;

    private MetisEdgeReader(Path file, MetisScanner scanner, EdgeFilePosition from) throws IOException {
        this.file = file;
        this.scanner = scanner;
        header = MetisHeader.read(scanner, file);
        vertex = from.row();
        edges = from.detail();
        if (from.offset() > scanner.offset()) {
            scanner.skipTo(from.offset() - 1);
            isInLine = !scanner.skipOneLineEnd();
        }
        scanner.setVertex(vertex + 1);
    }

    public static MetisEdgeReader open(Path file, EdgeFilePosition from) throws IOException {
        MetisScanner scanner = new MetisScanner(ByteSource.open(file));
        try {
            return new MetisEdgeReader(file, scanner, from);
        } catch (IOException e) {
            scanner.close();
            throw e;
        }
    }

    @Override
    public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
        long before = edges;
        while (edges - before < maxEdges) {
            if (!isInLine) {
                if (vertex == header.vertices()) {
                    checkEnd();
                    break;
                }
                beginLine();
            }
            if (scanner.isAtLineEnd()) {
                scanner.endLine();
                isInLine = false;
                vertex++;
            } else {
                readNeighbour(batch);
            }
        }
        return edges > before;
    }

    private void beginLine() throws IOException {
        scanner.skipComments();
        if (scanner.isAtEnd()) {
            throw new IOException(
                    "%s ends after the lines of %d vertices, but its header says %d. Correct the header or get the file again."
                            .formatted(file, vertex, header.vertices()));
        }
        scanner.setVertex(vertex + 1);
        isInLine = true;
        for (int i = 0; i < header.numbersBefore(); i++) {
            scanner.number("a size or weight of the vertex");
        }
    }

    private void readNeighbour(EdgeBatch batch) throws IOException {
        long neighbour = scanner.number("a neighbour");
        if (neighbour < 1 || neighbour > header.vertices() || neighbour == vertex + 1) {
            String allowed = neighbour == vertex + 1 ? "a self-loop" : "outside 1 to " + header.vertices();
            throw new IOException("%s: in the line of vertex %d, before byte %d, the neighbour %d is %s."
                    .formatted(file, vertex + 1, scanner.offset(), neighbour, allowed));
        }
        long target = neighbour - 1;
        long weight = header.hasEdgeWeights() ? scanner.number("an edge's weight") : 0;
        if (target < vertex) {
            return;
        }
        edges++;
        if (header.hasEdgeWeights()) {
            batch.add(vertex, target, (double) weight, EdgeBatch.NO_TIMESTAMP);
        } else {
            batch.add(vertex, target);
        }
    }

    private void checkEnd() throws IOException {
        while (!scanner.isAtEnd()) {
            scanner.skipComments();
            if (!scanner.isAtLineEnd()) {
                throw new IOException(
                        "%s goes on, at byte %d, after the lines of all %d vertices of its header. Correct the header."
                                .formatted(file, scanner.offset(), header.vertices()));
            }
            scanner.endLine();
        }
        if (edges != header.edges()) {
            throw new IOException(
                    "%s has %d edges, but its header says %d. Each edge stands in the lines of both its ends and counts once."
                            .formatted(file, edges, header.edges()));
        }
    }

    @Override
    public EdgeFilePosition position() {
        return new EdgeFilePosition(scanner.offset(), vertex, edges);
    }

    @Override
    public long bytesRead() {
        return scanner.bytesRead();
    }

    @Override
    public void close() throws IOException {
        scanner.close();
    }
}
