package io.cutwater.deploy.evaluation;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.metis.PartFileReader;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The meaning of a line in a file of partitions: the place of an edge, or the owner of a vertex. */
public enum LineKind {
    /** Line i is the partition of the i-th edge. */
    EDGE,
    /** Line i is the owner of vertex i, from 0. */
    VERTEX;

    /**
     * Tells the kind from the number of lines: as many as edges, or as vertices. Reads lines and edges to their end.
     *
     * @throws IOException if it is neither, or both; the message is meant for users
     */
    static LineKind tell(Path assignment, InputRequest.Files input, Progress progress) throws IOException {
        long lines = PartFileReader.readAll(assignment).length;
        long edges = 0;
        long lowest = 0;
        long highest = -1;
        try (EdgeFileSupplier supplier = new EdgeFileSupplier(input)) {
            for (EdgeBatch batch = new EdgeBatch(); supplier.next(batch); batch.clear()) {
                for (int i = 0; i < batch.size(); i++) {
                    lowest = Math.min(lowest, Math.min(batch.source(i), batch.target(i)));
                    highest = Math.max(highest, Math.max(batch.source(i), batch.target(i)));
                }
                edges += batch.size();
                progress.update(edges, supplier.share(), "");
            }
        }
        boolean isEdge = lines == edges;
        boolean isVertex = lowest == 0 && lines == vertices(input, highest);
        if (isEdge != isVertex) {
            return isEdge ? EDGE : VERTEX;
        }
        throw new IOException(
                isEdge
                        ? "%s has %d lines, and --edges has as many edges as vertices; say what a line is for with --kind edge or --kind vertex"
                                .formatted(assignment, lines)
                        : ("%s has %d lines, but --edges has %d edges, and ids from %d to %d; it must have the partition"
                                        + " of the i-th edge in line i, or of the vertices 0, 1, 2, … (with --kind vertex"
                                        + " also of some beyond the last edge)")
                                .formatted(assignment, lines, edges, lowest, highest));
    }

    /**
     * A METIS file declares its number of vertices, including those without an edge after the last one that has one.
     */
    private static long vertices(InputRequest.Files input, long highest) throws IOException {
        Path first = input.paths().get(0);
        if (input.paths().size() == 1 && input.formatOf(first) == EdgeFileFormat.METIS) {
            return EdgeFiles.metisVertices(first);
        }
        return highest + 1;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
