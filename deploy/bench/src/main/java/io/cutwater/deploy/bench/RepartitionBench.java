package io.cutwater.deploy.bench;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.DriftRounds;
import io.cutwater.state.repartition.DriftRule;
import io.cutwater.state.repartition.PlacedGraph;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Measures what re-partitionings move and reach, compared with a fresh bulk run: from k to 3/2 k partitions after a
 * bulk run, with the same k after one live pass, each with budgets, and planned by one task and by several; and a
 * stream that is re-partitioned as it grows, for which the file must be in the order of time.
 */
final class RepartitionBench {
    private static final double[] BUDGETS = {0.01, 0.05, 0.2, 1};
    private static final int[] TABLES = {1, 4, 16};
    private static final double ROUND = 0.05;
    private static final int FIRST_EDGES = 5000;

    private final PartitioningKind kind;
    private final String algorithm;
    private final EdgeBatch graph;
    private final Path folder;
    private final PrintStream out;

    private RepartitionBench(PartitioningKind kind, String algorithm, EdgeBatch graph, Path folder, PrintStream out) {
        this.kind = kind;
        this.algorithm = algorithm;
        this.graph = graph;
        this.folder = folder;
        this.out = out;
    }

    /** @param algorithm of the live pass */
    static void run(String graph, PartitioningKind kind, String algorithm, int partitions, PrintStream out)
            throws Exception {
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path file = BenchGraph.file(graph, temporary.path());
            out.printf(
                    "%s, %s of %s; moved: of all edges, of a vertex partitioning of all ends of edges%n%n",
                    file.getFileName(), algorithm, kind.label());
            out.println("| what | copies | above a fresh run | edges cut | balance | moved |");
            out.println("|---|---|---|---|---|---|");
            new RepartitionBench(kind, algorithm, load(file), temporary.path(), out).run(partitions);
        }
    }

    private static EdgeBatch load(Path file) throws IOException {
        EdgeBatch graph = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFiles.open(file, EdgeFileFormat.ofName(file), EdgeFilePosition.START)) {
            EdgeBatch batch = new EdgeBatch();
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                graph.addAll(batch);
                batch.clear();
            }
        }
        return graph;
    }

    private void run(int partitions) throws Exception {
        int more = partitions + partitions / 2;
        budgets(
                "bulk, %d to %d".formatted(partitions, more),
                bulk(partitions),
                more,
                bulk(more).quality());
        Quality fresh = bulk(partitions).quality();
        PlacedGraph live = empty(algorithm, partitions);
        live.live(graph, 0, graph.size());
        live.placeHeld();
        budgets("live, %d".formatted(partitions), live, partitions, fresh);
        PlacedGraph stream = empty(algorithm, partitions);
        DriftRounds rounds = new DriftRounds(stream, DriftRule.USUAL, ROUND);
        rounds.run(graph, Math.min(graph.size(), FIRST_EDGES));
        row(
                "stream, %d, %d rounds of %.0f %% and less".formatted(partitions, rounds.made(), 100 * ROUND),
                stream.quality(),
                fresh,
                "%.2f".formatted(share(rounds.moved())));
    }

    private PlacedGraph empty(String algorithm, int partitions) {
        return new PlacedGraph(kind, algorithm, partitions, folder);
    }

    private PlacedGraph bulk(int partitions) throws IOException, InterruptedException {
        PlacedGraph placed = empty("cutwater", partitions);
        placed.bulk(graph, 0, graph.size());
        return placed;
    }

    private void budgets(String what, PlacedGraph placed, int after, Quality fresh) throws Exception {
        row(what + ", fresh", fresh, fresh, "");
        row(what + ", before", placed.quality(), fresh, "");
        for (double budget : BUDGETS) {
            for (int tables : TABLES) {
                RepartitionPlan plan = placed.repartition(after, budget, unmade -> false, tables);
                row(
                        "%s, budget %.0f %%, planned by %d".formatted(what, 100 * budget, tables),
                        plan.expected(),
                        fresh,
                        "%.3f".formatted(share(plan.edgesToMove())));
            }
        }
    }

    private double share(long moved) {
        return (double) moved / graph.size() / (kind.hasOwners() ? 2 : 1);
    }

    private void row(String what, Quality quality, Quality fresh, String moved) {
        out.printf(
                "| %s | %.3f | %+.1f %% | %.4f | %.3f | %s |%n",
                what,
                quality.replicationFactor(),
                100 * (quality.replicationFactor() / fresh.replicationFactor() - 1),
                quality.edgeCutRatio().orElse(0),
                quality.loadBalance(),
                moved);
    }
}
