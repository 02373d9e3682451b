package io.cutwater.format.metis;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The first line of a METIS file, {@code n m [fmt [ncon]]}.
 *
 * @param edges the number of undirected edges, each counted once
 * @param numbersBefore vertex size and weights before each vertex's neighbours
 * @param hasEdgeWeights whether a weight follows each neighbour
 */
public record MetisHeader(long vertices, long edges, int numbersBefore, boolean hasEdgeWeights) {
    public static MetisHeader read(MetisScanner scanner, Path file) throws IOException {
        scanner.skipComments();
        if (scanner.isAtEnd()) {
            throw new IOException(
                    "%s has no METIS header. Its first line must be: vertices edges [fmt [ncon]].".formatted(file));
        }
        long vertices = scanner.number("the number of vertices");
        long edges = scanner.number("the number of edges");
        long fmt = scanner.isAtLineEnd() ? 0 : scanner.number("fmt");
        boolean hasSize = fmt / 100 == 1;
        boolean hasVertexWeights = fmt / 10 % 10 == 1;
        boolean hasEdgeWeights = fmt % 10 == 1;
        if (fmt != (hasSize ? 100 : 0) + (hasVertexWeights ? 10 : 0) + (hasEdgeWeights ? 1 : 0)) {
            throw new IOException(
                    "%s: fmt in the METIS header must be up to three digits 0 or 1: %d.".formatted(file, fmt));
        }
        long weightsPerVertex = scanner.isAtLineEnd() ? 1 : scanner.number("ncon");
        if (!scanner.isAtLineEnd() || weightsPerVertex > Short.MAX_VALUE) {
            throw new IOException("%s: the METIS header must be: vertices edges [fmt [ncon]], with ncon a small number."
                    .formatted(file));
        }
        scanner.endLine();
        int numbersBefore = (hasSize ? 1 : 0) + (hasVertexWeights ? Math.toIntExact(weightsPerVertex) : 0);
        return new MetisHeader(vertices, edges, numbersBefore, hasEdgeWeights);
    }
}
