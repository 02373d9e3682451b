package io.cutwater.format.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.folder.SampleRun;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EdgePartitionAuditTest {
    @TempDir
    Path temp;

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void countsWhatSetsInMapsCount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int k = 1 + random.nextInt(seed % 2 == 0 ? 64 : 4096);
        int vertices = 1 + random.nextInt(5000);
        EdgePartitionAudit recount = new EdgePartitionAudit(k);
        Map<Long, Set<Integer>> replicas = new HashMap<>();
        long[] edges = new long[k];
        for (int b = 0; b < 10; b++) {
            EdgeBatch batch = new EdgeBatch();
            int[] partitions = new int[1000];
            for (int i = 0; i < partitions.length; i++) {
                long source = random.nextInt(vertices) * 0x9E3779B97F4A7C15L;
                long target = random.nextInt(vertices) * 0x9E3779B97F4A7C15L;
                partitions[i] = random.nextInt(k);
                batch.add(source, target);
                edges[partitions[i]]++;
                replicas.computeIfAbsent(source, v -> new HashSet<>()).add(partitions[i]);
                replicas.computeIfAbsent(target, v -> new HashSet<>()).add(partitions[i]);
            }
            recount.add(batch, partitions);
        }
        Quality report = recount.report(3);
        assertThat(report.vertices()).isEqualTo(replicas.size());
        assertThat(report.edges()).isEqualTo(10_000);
        assertThat(report.deadLetters()).isEqualTo(3);
        assertThat(report.replicationFactor())
                .isEqualTo(
                        (double) replicas.values().stream().mapToInt(Set::size).sum() / replicas.size());
        for (int p = 0; p < k; p++) {
            int partition = p;
            assertThat(report.perPartition().get(p).edges()).isEqualTo(edges[p]);
            assertThat(report.perPartition().get(p).vertices())
                    .isEqualTo(replicas.values().stream()
                            .filter(set -> set.contains(partition))
                            .count());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theInputAndTheShardsHaveOneFingerprintAndAnyChangeAnother(long seed) throws IOException {
        SampleRun run = new SampleRun(seed, 6, 2000, 300, seed % 2 == 0, seed % 3 == 0);
        run.write(temp.resolve("out"), SampleRun.format(seed));
        List<Edge> input =
                new ArrayList<>(run.shards.stream().flatMap(List::stream).toList());
        Collections.shuffle(input, new Random(seed));
        Fingerprint ofShards =
                EdgePartitionAudit.of(ShardFolder.open(temp.resolve("out"))).fingerprint();
        assertThat(ofShards).isEqualTo(fingerprint(input));

        Edge first = input.get(0);
        Edge other =
                input.stream().filter(edge -> !edge.equals(first)).findAny().orElseThrow();
        List<List<Edge>> changes = List.of(
                input.subList(1, input.size()),
                replaced(input, other),
                replaced(input, new Edge(first.target() + 1, first.source(), first.weight(), first.timestamp())),
                replaced(input, new Edge(first.source(), first.target(), 0.1, first.timestamp())),
                replaced(input, new Edge(first.source(), first.target(), first.weight(), 77)));
        for (List<Edge> changed : changes) {
            assertThat(fingerprint(changed)).isNotEqualTo(ofShards);
        }
    }

    private static List<Edge> replaced(List<Edge> edges, Edge first) {
        List<Edge> changed = new ArrayList<>(edges);
        changed.set(0, first);
        return changed;
    }

    private static Fingerprint fingerprint(List<Edge> edges) {
        int cut = edges.size() / 3;
        return Fingerprint.NONE
                .plus(SampleRun.batch(edges.subList(0, cut)))
                .plus(SampleRun.batch(edges.subList(cut, edges.size())));
    }

    @Test
    void twoPairsOfDuplicatesInOtherPlacesAreNotMistakenForEachOther() {
        Edge a = new Edge(1, 2, Double.NaN, Long.MIN_VALUE);
        Edge b = new Edge(2, 1, Double.NaN, Long.MIN_VALUE);
        assertThat(fingerprint(List.of(a, a))).isNotEqualTo(fingerprint(List.of(b, b)));
        assertThat(fingerprint(List.of(a, b))).isEqualTo(fingerprint(List.of(b, a)));
    }

    @Test
    void aWholeFolderAgreesWithItsEdges() throws IOException {
        for (TableFormat format : TableFormat.values()) {
            SampleRun run = new SampleRun(4, 70, 3000, 400, false, false);
            run.write(temp.resolve(format.label()), format);
            ShardFolder folder = ShardFolder.open(temp.resolve(format.label()));
            assertThat(EdgePartitionAudit.of(folder).firstDifference(folder)).isEmpty();
        }
    }

    @Test
    void findsWhereTheBookOrTheVerticesDisagreeWithTheEdges() throws IOException {
        Path dir = temp.resolve("out");
        SampleRun run = new SampleRun(0, 3, 0, 1, false, false);
        run.add(0, new Edge(1, 2, Double.NaN, Long.MIN_VALUE));
        run.add(2, new Edge(1, 3, Double.NaN, Long.MIN_VALUE));
        run.write(dir, TableFormat.CSV);
        String book = "partition-book.csv";
        String header = "vertex,partition,replicas\n";
        finds(dir, book, header + "1,0,0|2\n2,0,0\n", "the partition book has 2 vertices, and the edges have 3");
        finds(dir, book, header + "1,0,0|2\n2,0,0\n3,2,2\n4,0,0\n", "has vertex 4, which no edge of the shards has");
        finds(dir, book, header + "2,0,0\n1,0,0|2\n3,2,2\n", "has vertex 1 after vertex 2");
        finds(dir, book, header + "1,0,0\n2,0,0\n3,2,2\n", "gives vertex 1 the replicas [0], but its edges are on 2");
        finds(dir, book, header + "1,0,0|1\n2,0,0\n3,2,2\n", "gives vertex 1 the replicas [0, 1]");
        finds(dir, book, header + "1,0,2|0\n2,0,0\n3,2,2\n", "gives vertex 1 the replicas [2, 0]");
        finds(dir, book, header + "1,1,0|2\n2,0,0\n3,2,2\n", "puts vertex 1 on partition 1, where it has no replica");
        String vertices = "shards/00000/vertices.csv";
        header = "vertex,role,degree\n";
        finds(dir, vertices, header + "1,master,2\n", "shard 0 lists 1 vertices, and its edges have 2");
        finds(dir, vertices, header + "1,master,2\n3,master,1\n", "shard 0 lists vertex 3, which none of its edges");
        finds(dir, vertices, header + "2,master,1\n1,master,2\n", "shard 0 lists vertex 1 after vertex 2");
        finds(
                dir,
                vertices,
                header + "1,mirror,2\n2,master,1\n",
                "shard 0 calls vertex 1 mirror, and the partition book puts it on partition 0");
        finds(
                dir,
                vertices,
                header + "1,master,9\n2,master,1\n",
                "shard 0 gives vertex 1 degree 9, and by the edges of the shards it is 2");
        ShardFolder folder = ShardFolder.open(dir);
        assertThat(new EdgePartitionAudit(2).firstDifference(folder))
                .hasValue("the folder has 3 shards, and 2 were counted");
    }

    private static void finds(Path dir, String file, String content, String sentence) throws IOException {
        String before = Files.readString(dir.resolve(file));
        ShardFolder folder = ShardFolder.open(dir);
        EdgePartitionAudit recount = EdgePartitionAudit.of(folder);
        assertThat(recount.firstDifference(folder)).isEmpty();
        Files.writeString(dir.resolve(file), content);
        assertThat(recount.firstDifference(folder).orElseThrow()).contains(sentence);
        Files.writeString(dir.resolve(file), before);
    }

    @Test
    void refusesAPartitionThatIsNotThere() {
        EdgeBatch edge = new EdgeBatch();
        edge.add(1, 2);
        assertThatThrownBy(() -> new EdgePartitionAudit(4).add(4, edge))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("edge (1, 2): its partition must be in [0, 3]: 4");
        assertThatThrownBy(() -> new EdgePartitionAudit(4097)).hasMessage("partitionCount must be in [1, 4096]: 4097");
    }
}
