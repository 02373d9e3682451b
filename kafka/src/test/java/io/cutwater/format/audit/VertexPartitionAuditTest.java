package io.cutwater.format.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VertexPartitionAuditTest {
    private static final String BOOK = "partition-book.csv";
    private static final String BOOK_HEADER = "vertex,partition,replicas\n";
    private static final String EDGES_0 = "shards/00000/edges.csv";
    private static final String EDGES_1 = "shards/00001/edges.csv";
    private static final String VERTICES_0 = "shards/00000/vertices.csv";
    private static final String VERTICES_HEADER = "vertex,role,degree\n";

    @TempDir
    Path temp;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void theShardsAloneTellTheQualityOfTheWholeGraphAndItsEdges(long seed) throws IOException {
        int k = seed == 0 ? 1 : (int) (seed * seed * 3);
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, seed, k, 3_000, 500, seed % 2 == 0, seed % 3 == 0);
        run.write(temp.resolve("out"), SampleRun.format(seed));
        ShardFolder folder = ShardFolder.open(temp.resolve("out"));
        PartitionAudit recount = count(folder);
        assertThat(recount.firstDifference(folder)).isEmpty();
        assertThat(recount.fingerprint()).isEqualTo(Fingerprint.NONE.plus(SampleRun.batch(run.input)));
        AdjacencyGraph graph = AdjacencyGraph.of(SampleRun.batch(run.input));
        int[] owners = IntStream.range(0, graph.vertexCount())
                .map(v -> run.owners.get(graph.vertex(v)))
                .toArray();
        assertThat(recount.report(4)).isEqualTo(Quality.of(graph, owners, k).withDeadLetters(4));
    }

    private static PartitionAudit count(ShardFolder folder) throws IOException {
        PartitionAudit recount = PartitionAudit.begin(folder);
        folder.readEdges(recount::add);
        return recount;
    }

    @Test
    void edgesThatBringTheirOwnersNeedNoBook() {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 3, 5, 2_000, 300, false, false);
        VertexPartitionAudit withOwners = new VertexPartitionAudit(5);
        VertexPartitionAudit withBook = new VertexPartitionAudit(5);
        run.owners.forEach(withBook::own);
        for (int shard = 0; shard < 5; shard++) {
            EdgeBatch edges = SampleRun.batch(run.shards.get(shard));
            withBook.add(shard, edges);
            for (int i = 0; i < edges.size(); i++) {
                edges.setPlace(i, Place.of(run.owners.get(edges.source(i)), run.owners.get(edges.target(i))));
            }
            withOwners.add(shard, edges);
        }
        assertThat(withOwners.firstDifference()).isEmpty();
        assertThat(withOwners.report(0)).isEqualTo(withBook.report(0));
        assertThat(withOwners.fingerprint()).isEqualTo(withBook.fingerprint());

        EdgeBatch other = SampleRun.batch(run.shards.get(0).subList(0, 1));
        int owner = run.owners.get(other.source(0));
        other.setPlace(0, Place.of((owner + 1) % 5, (owner + 1) % 5));
        withOwners.add((owner + 1) % 5, other);
        assertThat(withOwners.firstDifference())
                .hasValue("vertex %d belongs to partition %d, and to %d as well"
                        .formatted(other.source(0), owner, (owner + 1) % 5));
    }

    @Test
    void findsEveryDamage() throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 0, 3, 0, 1, false, false);
        run.owners.putAll(Map.of(1L, 0, 2L, 0, 3L, 1, 4L, 2));
        run.add(edge(1, 2));
        run.add(edge(1, 3));
        run.add(edge(3, 2));
        run.add(edge(4, 4));
        Path dir = temp.resolve("out");
        run.write(dir, TableFormat.CSV);
        assertThat(difference(dir)).isEmpty();

        // Shard 0 has 1-2, 1-3, 3-2; shard 1 has 1-3, 3-2; shard 2 has 4-4.
        finds(dir, EDGES_0, "src,dst\n1,2\n1,3\n3,2\n4,4\n", "shard 0 has edge (4, 4), and owns neither end: ");
        finds(
                dir,
                EDGES_1,
                "src,dst\n1,3\n3,2\n1,2\n",
                "(1, 2), and owns neither end: vertex 1 belongs to partition 0");
        finds(dir, EDGES_0, "src,dst\n1,2\n1,3\n", "gives vertex 2 degree 2, and by the edges of the shards it is 1");
        finds(dir, EDGES_0, "src,dst\n1,2\n1,3\n3,2\n1,2\n", "gives vertex 1 degree 2, and by the edges of the");
        finds(dir, EDGES_1, "src,dst\n1,3\n2,3\n", "3 edges whose source they own and 5 whose target they own, and");
        finds(dir, EDGES_1, "src,dst\n1,3\n", "gives vertex 2 the replicas [0, 1], but its edges are on 1 partitions");
        finds(dir, EDGES_1, "src,dst\n1,3\n3,5\n", "gives vertex 2 the replicas [0, 1]");
        finds(dir, BOOK, BOOK_HEADER + "1,0,0|1\n2,0,0|1\n3,1,0|1\n", "(4, 4), and owns neither end: vertex 4 has no");
        finds(
                dir,
                BOOK,
                BOOK_HEADER + "1,0,0|1\n2,0,0|1\n3,1,0|1\n4,2,2\n5,2,2\n",
                "vertex 5 the replicas [2], but its edges are");
        finds(dir, BOOK, BOOK_HEADER + "1,0,0|1\n2,1,0|1\n3,1,0|1\n4,2,2\n", "(3, 2), and owns neither end: vertex 3");
        finds(dir, BOOK, BOOK_HEADER + "1,0,0\n2,0,0|1\n3,1,0|1\n4,2,2\n", "gives vertex 1 the replicas [0], but");
        finds(dir, BOOK, BOOK_HEADER + "1,7,0|1\n2,0,0|1\n3,1,0|1\n4,2,2\n", "belongs to partition 7, and there are 3");
        String rest = "2,owned,2\n3,halo,2\n";
        finds(dir, VERTICES_0, VERTICES_HEADER + "1,halo,2\n" + rest, "shard 0 calls vertex 1 halo, and the partition");
        finds(dir, VERTICES_0, VERTICES_HEADER + "1,owned,3\n" + rest, "shard 0 gives vertex 1 degree 3, and by the");
        finds(dir, VERTICES_0, VERTICES_HEADER + "1,owned,2\n2,owned,2\n", "shard 0 lists 2 vertices, and its edges");
        finds(dir, VERTICES_0, VERTICES_HEADER + "1,owned,2\n" + rest + "4,halo,2\n", "lists vertex 4, which none of");
    }

    @Test
    void anEdgeThatIsLostInOneOfItsShardsAndDoubledInAnotherPlaceShows() throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 0, 2, 0, 1, false, false);
        run.owners.putAll(Map.of(1L, 0, 2L, 1, 3L, 1));
        run.add(edge(1, 2));
        run.add(edge(1, 3));
        run.add(new Edge(1, 2, 5, Long.MIN_VALUE));
        Path dir = temp.resolve("out");
        run.write(dir, TableFormat.CSV);
        // Every vertex keeps its degree and its copies: only the weight tells which edge is not in both shards.
        finds(
                dir,
                EDGES_1,
                "src,dst,weight\n1,2,\n1,3,\n1,2,6\n",
                "the shards have 3 edges whose source they own and 3 whose target they own, and not the same ones");
    }

    private static Edge edge(long source, long target) {
        return new Edge(source, target, Double.NaN, Long.MIN_VALUE);
    }

    private static String difference(Path dir) throws IOException {
        ShardFolder folder = ShardFolder.open(dir);
        return count(folder).firstDifference(folder).orElse("");
    }

    private static void finds(Path dir, String file, String content, String sentence) throws IOException {
        String before = Files.readString(dir.resolve(file));
        Files.writeString(dir.resolve(file), content);
        assertThat(difference(dir)).contains(sentence);
        Files.writeString(dir.resolve(file), before);
    }
}
