package io.cutwater.state.repartition;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.quality.VertexQuality;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Prints the figures of re-partitionings that the README has. */
final class RepartitionFigures {
    private RepartitionFigures() {}

    public static void main(String... args) throws Exception {
        Path folder = Files.createTempDirectory("repartition");
        PartitioningKind kind = PartitioningKind.valueOf(args[1].toUpperCase(Locale.ROOT));
        int before = Integer.parseInt(args[3]);
        int after = Integer.parseInt(args[4]);
        String start = args[2];
        EdgeBatch graph = null;
        for (String file : args[5].split(",")) {
            graph = SharedGraph.read("data/" + file + ".txt.gz");
            if (args[0].equals("plan")) {
                PlacedGraph fresh = new PlacedGraph(kind, "cutwater", after, folder);
                fresh.bulk(graph, 0, graph.size());
                Quality bulk = fresh.quality();
                PlacedGraph placed = new PlacedGraph(kind, start.equals("bulk") ? "cutwater" : start, before, folder);
                if (start.equals("bulk")) {
                    placed.bulk(graph, 0, graph.size());
                } else {
                    placed.live(graph, 0, graph.size());
                    placed.placeHeld();
                }
                System.out.printf("%s %s %s %d to %d%n", file, kind, start, before, after);
                print("fresh bulk", bulk, bulk, null);
                boolean first = true;
                for (String budget : args[6].split(",")) {
                    long t = System.nanoTime();
                    RepartitionPlan plan = placed.repartition(after, Double.parseDouble(budget), false);
                    if (first) {
                        print("before", plan.before(), bulk, null);
                        first = false;
                    }
                    print(
                            "budget " + budget + " (" + (System.nanoTime() - t) / 100_000_000 / 10.0 + " s)",
                            plan.expected(),
                            bulk,
                            plan);
                }
            } else {
                drift(kind, start, before, file, graph, folder, args);
            }
        }
    }

    private static void drift(
            PartitioningKind kind, String start, int k, String file, EdgeBatch graph, Path folder, String... args)
            throws Exception {
        double share = Double.parseDouble(args[6]);
        double budget = Double.parseDouble(args[7]);
        PlacedGraph fresh = new PlacedGraph(kind, "cutwater", k, folder);
        fresh.bulk(graph, 0, graph.size());
        Quality bulk = fresh.quality();
        PlacedGraph alone = new PlacedGraph(kind, start, k, folder);
        alone.live(graph, 0, graph.size());
        alone.placeHeld();
        PlacedGraph placed = new PlacedGraph(kind, start, k, folder);
        int rounds = 0;
        long moved = 0;
        int at = Math.min(graph.size(), 5000);
        placed.live(graph, 0, at);
        while (at < graph.size()) {
            RepartitionPlan plan = placed.repartition(k, budget, true);
            moved += plan.edgesToMove();
            rounds++;
            int next = (int) Math.min(graph.size(), Math.max(at + 1, at * (1 + share)));
            placed.live(graph, at, next);
            at = next;
        }
        placed.placeHeld();
        System.out.printf(
                "%s %s %s k %d, %d rounds, moved %.2f of edges%n",
                file, kind, start, k, rounds, (double) moved / graph.size());
        print("fresh bulk", bulk, bulk, null);
        print("one pass", alone.quality(), bulk, null);
        print("rounds", placed.quality(), bulk, null);
        RepartitionPlan plan = placed.repartition(k, budget, false);
        print("and one at the end", plan.expected(), bulk, plan);
    }

    private static void print(String what, Quality quality, Quality fresh, RepartitionPlan plan) {
        if (quality instanceof EdgeQuality edge) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-24s RF %.3f (%+.1f %%), edge balance %.3f, vertex balance %.3f",
                    what,
                    edge.replicationFactor(),
                    100 * (edge.replicationFactor() / ((EdgeQuality) fresh).replicationFactor() - 1),
                    edge.edgeBalance(),
                    edge.vertexBalance());
        } else if (quality instanceof VertexQuality vertex) {
            VertexQuality other = (VertexQuality) fresh;
            System.out.printf(
                    Locale.ROOT,
                    "  %-24s cut %.3f (%+.1f %%) RF %.3f (%+.1f %%), vertex balance %.3f, volume balance %.3f",
                    what,
                    vertex.edgeCutRatio(),
                    100 * (vertex.edgeCutRatio() / other.edgeCutRatio() - 1),
                    vertex.replicationFactorFullNeighbours(),
                    100 * (vertex.replicationFactorFullNeighbours() / other.replicationFactorFullNeighbours() - 1),
                    vertex.vertexBalance(),
                    vertex.volumeBalance());
        }
        System.out.println(
                plan == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", moved %.3f (%d moves)",
                                (double) plan.edgesToMove() / plan.edges() / (quality instanceof VertexQuality ? 2 : 1),
                                plan.moves()));
    }
}
