package io.cutwater.format.metis;

import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.binary.SortedRows;
import io.cutwater.format.csv.CsvRows;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.table.DenseGraph;
import io.cutwater.format.table.StagedShard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the graph in the format of METIS and KaHIP (METIS manual 5.1, section 4.1.1), and the owner of each vertex in
 * the format of their results. The graph is undirected: an edge is in the lines of both endpoints, once however often
 * and in whatever direction the input has it. Self-loops, weights and timestamps are in the tables only.
 *
 * <pre>
 *   metis/graph.metis          n m, then a line of neighbours for each vertex, numbered from 1
 *   metis/graph.metis.part.K   the owner of each vertex, one on a line
 *   metis/graph.ids            the vertex of each line
 * </pre>
 */
public final class MetisFiles {
    private static final String GRAPH = "metis/graph.metis";
    private static final String IDS = "metis/graph.ids";

    private final OutputFiles out;
    private final List<StagedShard> shards;

    public MetisFiles(OutputFiles out, List<StagedShard> shards) {
        this.out = out;
        this.shards = shards;
    }

    /** @param scratch a folder for spill files */
    public void write(Path scratch) throws IOException {
        try (ExternalSort neighbours =
                ExternalSort.ofPairs(scratch.resolve("neighbours.bin"), ExternalSort.RUN_PAIRS)) {
            long vertexCount = addNeighbours(scratch, neighbours);
            writeGraph(vertexCount, neighbours);
        }
    }

    /** Adds the edges in both directions, writes ids and owners, and returns the number of vertices. */
    private long addNeighbours(Path scratch, ExternalSort neighbours) throws IOException {
        try (HashedFile ids = out.create(IDS);
                HashedFile part = out.create(GRAPH + ".part." + shards.size())) {
            CsvRows idRows = new CsvRows(ids);
            CsvRows owners = new CsvRows(part);
            try (DenseGraph graph = new DenseGraph(shards, false, scratch, ExternalSort.RUN_PAIRS, (vertex, owner) -> {
                idRows.number(vertex);
                idRows.endRow();
                owners.number(owner);
                owners.endRow();
            })) {
                idRows.drain();
                owners.drain();
                long edges = shards.stream().mapToLong(StagedShard::firstEdges).sum();
                graph.edges().next(edges, (source, target) -> {
                    if (source != target) {
                        neighbours.add(source, target);
                        neighbours.add(target, source);
                    }
                });
                return graph.vertexCount();
            }
        }
    }

    private void writeGraph(long vertexCount, ExternalSort neighbours) throws IOException {
        try (HashedFile file = out.create(GRAPH)) {
            CsvRows rows = new CsvRows(file);
            rows.number(vertexCount);
            rows.separator(' ');
            rows.number(distinct(neighbours.sorted()) / 2);
            rows.endRow();
            SortedRows sorted = neighbours.sorted();
            boolean isThere = sorted.next();
            for (long vertex = 0; vertex < vertexCount; vertex++) {
                long previous = -1;
                for (; isThere && sorted.first() == vertex; isThere = sorted.next()) {
                    if (sorted.second() != previous) {
                        if (previous >= 0) {
                            rows.separator(' ');
                        }
                        previous = sorted.second();
                        rows.number(previous + 1);
                    }
                }
                rows.endRow();
            }
            rows.drain();
        }
    }

    /** Counts the edges, because the header has their number. */
    private static long distinct(SortedRows sorted) throws IOException {
        long count = 0;
        long first = -1;
        long second = -1;
        while (sorted.next()) {
            if (sorted.first() != first || sorted.second() != second) {
                first = sorted.first();
                second = sorted.second();
                count++;
            }
        }
        return count;
    }
}
