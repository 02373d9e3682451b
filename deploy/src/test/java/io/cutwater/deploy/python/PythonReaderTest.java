package io.cutwater.deploy.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.CommandRun;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code deploy/python/cutwater_reader.py}, run by an installed Python on what the product writes. */
class PythonReaderTest {
    private static final Path READER = Path.of("python/cutwater_reader.py").toAbsolutePath();

    @TempDir
    private Path temp;

    private record Edge(long source, long target, double weight, long timestamp) implements Comparable<Edge> {
        /** The line that the program prints. */
        String line() {
            String weightText = Double.isNaN(weight) ? "" : weight == 0.5 ? "0.5" : "3.0";
            return "%d,%d,%s,%s"
                    .formatted(source, target, weightText, timestamp == EdgeBatch.NO_TIMESTAMP ? "" : "" + timestamp);
        }

        static Edge random(SplittableRandom random, int vertices) {
            return new Edge(
                    id(random.nextInt(vertices)),
                    id(random.nextInt(vertices)),
                    new double[] {Double.NaN, 0.5, 3}[random.nextInt(3)],
                    random.nextBoolean() ? EdgeBatch.NO_TIMESTAMP : random.nextInt(-5, 5));
        }

        private static long id(int number) {
            return number % 2 == 0 ? Long.MAX_VALUE - number : Long.MIN_VALUE + number;
        }

        @Override
        public int compareTo(Edge other) {
            return line().compareTo(other.line());
        }
    }

    @BeforeAll
    static void pythonIsInstalled() throws IOException, InterruptedException {
        boolean isThere;
        try {
            isThere = python("-c", "import numpy").exitCode() == 0;
        } catch (IOException e) {
            isThere = false;
        }
        assumeTrue(isThere, "there is no python3 with NumPy in the path (package python3-numpy of Debian)");
    }

    private static CommandRun python(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", "-B"));
        command.addAll(List.of(words));
        Path out = Files.createTempFile("python-", ".out");
        Path err = Files.createTempFile("python-", ".err");
        try {
            int exitCode = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start()
                    .waitFor();
            return new CommandRun(command, exitCode, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static List<String> read(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(READER.toString()));
        command.addAll(List.of(words));
        CommandRun run = python(command.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("src,dst,weight,timestamp");
        return lines.subList(1, lines.size());
    }

    @ParameterizedTest
    @EnumSource(
            value = TableFormat.class,
            names = {"CSV", "GRAPHBOLT"})
    void aFolderHasTheEdgesOfEachShardInTheirOrder(TableFormat format) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(1);
        List<List<Edge>> shards = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 300; i++) {
            shards.get(random.nextInt(2)).add(Edge.random(random, 40));
        }
        Path dir = write(shards, format);

        for (int shard = 0; shard < 2; shard++) {
            assertThat(read(dir.toString(), Integer.toString(shard)))
                    .isEqualTo(shards.get(shard).stream().map(Edge::line).toList());
        }
        CommandRun local = python("-c", """
                import sys
                sys.path.insert(0, sys.argv[1])
                import cutwater_reader as cutwater
                folder = cutwater.Folder(sys.argv[2])
                shard = folder.shard(1)
                ends = shard.vertices[shard.local_edges()]
                print((ends[0] == shard.sources).all() and (ends[1] == shard.targets).all())
                vertices, partitions, offsets, replicas = folder.book()
                print(sum(len(folder.shard(s).vertices) for s in range(2)) == len(replicas) == offsets[-1])
                """, READER.getParent().toString(), dir.toString());
        assertThat(local.out()).as(local.err()).isEqualTo("True\nTrue\n");

        Files.writeString(dir.resolve("report.json"), "changed");
        CommandRun changed = python(READER.toString(), dir.toString(), "0");
        assertThat(changed.exitCode()).isEqualTo(1);
        assertThat(changed.err()).contains("report.json in ", " was changed after it was written");
    }

    private Path write(List<List<Edge>> shards, TableFormat format) throws IOException {
        Path dir = temp.resolve(format.label());
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            try (FolderStaging staging = FolderStaging.create(folder.staging(), 2)) {
                VertexBatch vertices = new VertexBatch();
                TreeSet<Long> all = new TreeSet<>();
                for (int shard = 0; shard < 2; shard++) {
                    staging.append(shard, batch(shards.get(shard)));
                    shards.get(shard).forEach(edge -> all.addAll(List.of(edge.source(), edge.target())));
                }
                for (long vertex : all) {
                    List<Integer> replicas = new ArrayList<>();
                    for (int shard = 0; shard < 2; shard++) {
                        if (shards.get(shard).stream()
                                .anyMatch(edge -> edge.source() == vertex || edge.target() == vertex)) {
                            replicas.add(shard);
                        }
                    }
                    vertices.add(vertex, 1, replicas.get(0));
                    replicas.forEach(vertices::addReplica);
                }
                staging.append(vertices);
                staging.flush();
            }
            RunDescription run = new RunDescription("0.2.0", "hdrf", Map.of(), 7, 2, List.of());
            folder.complete(PartitioningKind.EDGE, run, format, 0, () -> "{}".getBytes(StandardCharsets.UTF_8));
        }
        return dir;
    }

    private static EdgeBatch batch(List<Edge> edges) {
        EdgeBatch batch = new EdgeBatch();
        edges.forEach(edge -> batch.add(edge.source(), edge.target(), edge.weight(), edge.timestamp()));
        return batch;
    }

    @Test
    void recordsOfATopicAddUpToTheShard() throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(2);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Edge> expected = new ArrayList<>();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (int i = 0; i < 60; i++) {
                List<Edge> edges = new ArrayList<>();
                boolean isRemoval = random.nextInt(3) == 0;
                for (int e = random.nextInt(20); e > 0 && (!isRemoval || !expected.isEmpty()); e--) {
                    edges.add(isRemoval ? expected.remove(random.nextInt(expected.size())) : Edge.random(random, 10));
                }
                Kind kind = isRemoval
                        ? List.of(Kind.REMOVE, Kind.EVICT).get(i % 2)
                        : List.of(Kind.ADD, Kind.ADOPT).get(i % 2);
                if (!isRemoval) {
                    expected.addAll(edges);
                }
                put(out, 3, kind, batch(edges));
                put(out, 4, Kind.ADD, batch(List.of(Edge.random(random, 10)))); // another shard
            }
        }
        Path file = Files.write(temp.resolve("records.bin"), bytes.toByteArray());
        assertThat(read("--records", file.toString(), "3"))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(Edge::line).toList());

        Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 1));
        assertThat(python(READER.toString(), "--records", file.toString(), "3").err())
                .contains("the file ends within a record");
    }

    @Test
    void edgesHaveTheirKeysAndLeaveByThem() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        EdgeBatch added = new EdgeBatch();
        for (long key : new long[] {7, -8, EdgeBatch.NO_KEY}) {
            added.add(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, key);
        }
        EdgeBatch removed = new EdgeBatch();
        removed.add(1, 2, Double.NaN, EdgeBatch.NO_TIMESTAMP, 7);
        DataOutputStream out = new DataOutputStream(bytes);
        put(out, 0, Kind.ADD, added);
        put(out, 0, Kind.REMOVE, removed);
        Path file = Files.write(temp.resolve("records.bin"), bytes.toByteArray());

        CommandRun run = python(READER.toString(), "--records", file.toString(), "0");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines()).containsExactly("src,dst,weight,timestamp,key", "1,2,,,", "1,2,,,-8");
    }

    @Test
    void anEdgeThatLeavesMoreOftenThanItEnteredIsAnError() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        EdgeBatch edge = new EdgeBatch();
        edge.add(7, 8);
        put(new DataOutputStream(bytes), 0, Kind.REMOVE, edge);
        Path file = Files.write(temp.resolve("records.bin"), bytes.toByteArray());

        CommandRun run = python(READER.toString(), "--records", file.toString(), "0");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("edge (7, 8) leaves the shard more often than it entered");
    }

    private static void put(DataOutputStream out, int shard, Kind kind, EdgeBatch edges) throws IOException {
        byte[] value = ShardRecordCodec.encode(kind, 0, edges, 0, edges.size());
        out.write(ShardRecordCodec.key(shard));
        out.writeInt(value.length);
        out.write(value);
    }

    @Test
    void ownersVertexDataAndBookEntriesAreDecoded() throws IOException, InterruptedException {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.setPlace(0, Place.of(4095, 3));
        byte[] features = VertexRecordCodec.value(new float[] {0, 0, 0, 0, 0, 0.5f}, 6, 4, VertexSplit.VAL);
        byte[] dense = VertexRecordCodec.value(new float[] {1, 2}, 2, -1, VertexSplit.NONE);
        byte[] data = ShardVertexCodec.data(new long[] {-7, 8}, List.of(features, dense));
        byte[] gone = ShardVertexCodec.gone(new long[] {8}, 1);
        VertexBatch book = new VertexBatch();
        book.add(9, 300, 2);
        book.addReplica(0);
        book.addReplica(2);
        book.addReplica(700);
        List<String> words =
                new ArrayList<>(List.of("-c", """
                import sys
                sys.path.insert(0, sys.argv[1])
                import cutwater_reader as cutwater
                state = cutwater.ShardState()
                owned, data, gone, book = [bytes.fromhex(word) for word in sys.argv[2:]]
                state.apply(owned)
                state.apply(data)
                for vertex, row in state.vertex_data.items():
                    print(vertex, row.features.tolist(), row.label, row.split)
                state.apply(gone)
                print(list(state.vertex_data), state.edges()[4].tolist(), cutwater.book_entry(book))
                for wrong in owned[:-1], owned + b"0", bytes([2]) + owned[1:], book[:-1]:
                    try:
                        cutwater.ShardRecord(wrong) if wrong != book[:-1] else cutwater.book_entry(wrong)
                        print("accepted")
                    except cutwater.FormatError as problem:
                        print("refused")
                """, READER.getParent().toString()));
        for (byte[] value : List.of(
                ShardRecordCodec.encode(Kind.ADD_OWNED, 0, edges, 0, 1),
                data,
                gone,
                new PartitionBookCodec().value(book, 0))) {
            words.add(HexFormat.of().formatHex(value));
        }
        CommandRun run = python(words.toArray(String[]::new));
        assertThat(run.out()).as(run.err()).isEqualTo("""
                -7 [0.0, 0.0, 0.0, 0.0, 0.0, 0.5] 4 val
                8 [1.0, 2.0] -1 none
                [-7] [[4095, 3]] (2, None, 300, [0, 2, 700])
                refused
                refused
                refused
                refused
                """);
    }
}
