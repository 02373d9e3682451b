package io.cutwater.flink.connector.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.text.VertexNames;
import io.cutwater.kafka.textid.TextHash;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.GivenPlaces;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartPlacesTest {
    @TempDir
    private Path temp;

    private static PartitionerOptions options(PartitioningKind kind, int k) {
        return new PartitionerOptions(kind, "cutwater", k, 3, PassMode.BULK, Map.of());
    }

    private static GivenPlaces read(Path path, PartitioningKind kind, int k) throws IOException {
        return StartPlaces.parse(path.toString()).read(options(kind, k), null);
    }

    @Test
    void linesOfOtherToolsAreRead() throws IOException {
        Path triples = Files.writeString(temp.resolve("edges.txt"), "# tool\n1 2 0\n1 2 0\n5 -7 2\n");
        GivenPlaces edges = read(triples, PartitioningKind.EDGE, 3);
        assertThat(edges.given()).isEqualTo(3);
        assertThat(edges.balance()).isEqualTo(2);

        Path part = Files.writeString(temp.resolve("graph.part.3"), "0\n2\n2\n2\n");
        GivenPlaces vertices = read(part, PartitioningKind.VERTEX, 3);
        assertThat(vertices.given()).isEqualTo(4);
        assertThat(vertices.balance()).isEqualTo(2.25);
    }

    @Test
    void aFileWithoutPlacesIsRefused() throws IOException {
        for (String text : List.of("", "# nothing\n", "source target partition\n")) {
            Path empty = Files.writeString(temp.resolve("empty.txt"), text);
            assertThatThrownBy(() -> read(empty, PartitioningKind.EDGE, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("empty.txt has no places; leave the option out, or name another file");
        }
    }

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void anOutputFolderIsRead(PartitioningKind kind) throws IOException {
        Path folder = write(kind);
        assertThat(read(folder, kind, 2).given()).isEqualTo(kind == PartitioningKind.EDGE ? 2 : 3);

        PartitioningKind other = kind == PartitioningKind.EDGE ? PartitioningKind.VERTEX : PartitioningKind.EDGE;
        assertThatThrownBy(() -> read(folder, other, 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "it has a partitioning of kind %s, and the job is of kind %s", kind.label(), other.label());
        assertThatThrownBy(() -> read(folder, kind, 1))
                .hasMessageContaining("is given to partition 1, and there are 1");
    }

    /** The path 0 - 1 - 2 in two shards. */
    private Path write(PartitioningKind kind) throws IOException {
        return write(kind, "shards", vertex -> vertex, null, Map.of());
    }

    /** @param hashed how ids are made of the texts of the vertices; null for numbers */
    private Path write(PartitioningKind kind, String name, @Nullable TextIds hashed) throws IOException {
        VertexNames names = new VertexNames();
        TextHash hash = TextHash.of(hashed == null ? 0 : hashed.seed());
        for (int vertex = 0; vertex < 3; vertex++) {
            byte[] text = text(vertex);
            if (hashed == null) {
                names.id(text, 0, text.length);
            } else {
                names.add(hash.id(text), text, 0, text.length);
            }
        }
        return write(
                kind,
                name,
                vertex -> hashed == null ? vertex : hash.id(text((int) vertex)),
                names,
                hashed == null ? Map.of() : Map.of(RunDescription.IDS_SEED, "" + hashed.seed()));
    }

    private Path write(
            PartitioningKind kind,
            String name,
            LongUnaryOperator id,
            @Nullable VertexNames names,
            Map<String, String> parameters)
            throws IOException {
        Path dir = temp.resolve(name);
        boolean hasOwners = kind == PartitioningKind.VERTEX;
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            try (FolderStaging staging = FolderStaging.create(folder.staging(), 2)) {
                staging.append(0, edge(id.applyAsLong(0), id.applyAsLong(1), hasOwners, 0, 0));
                staging.append(1, edge(id.applyAsLong(1), id.applyAsLong(2), hasOwners, 0, 1));
                if (hasOwners) {
                    staging.append(0, edge(id.applyAsLong(1), id.applyAsLong(2), true, 0, 1));
                }
                VertexBatch rows = new VertexBatch();
                for (int vertex = 0; vertex < 3; vertex++) {
                    rows.add(id.applyAsLong(vertex), vertex == 1 ? 2 : 1, vertex / 2);
                    if (vertex < 2 || hasOwners) {
                        rows.addReplica(0);
                    }
                    if (vertex > 0) {
                        rows.addReplica(1);
                    }
                }
                staging.append(rows);
                staging.flush();
            }
            if (names != null) {
                folder.setNames(names);
            }
            RunDescription run = new RunDescription("0.2.0", "cutwater", parameters, 7, 2, List.of());
            folder.complete(kind, run, TableFormat.NPY, 0, () -> "{}".getBytes(StandardCharsets.UTF_8));
        }
        return dir;
    }

    private static EdgeBatch edge(long source, long target, boolean hasOwners, int ofSource, int ofTarget) {
        EdgeBatch edge = new EdgeBatch();
        edge.add(source, target);
        if (hasOwners) {
            edge.setPlace(0, Place.of(ofSource, ofTarget));
        }
        return edge;
    }

    /** Numbers of names in one folder, hashes with another seed in the other. */
    @Test
    void textsHaveTheIdsOfTheTopicWhateverTheirsAreInTheFile() throws Exception {
        TextIds ids = new TextIds(5);
        Path triples = Files.writeString(temp.resolve("names.txt"), "u v p\nx:0 x:1 0\nx:1,x:2,1\n");
        Path triplesWithoutHeader = Files.writeString(temp.resolve("plain.txt"), "x:0\tx:1\t0\nx:1 x:2 1\n");
        PartitionerOptions edges = options(PartitioningKind.EDGE, 2);
        for (Path path : List.of(
                triples,
                triplesWithoutHeader,
                write(PartitioningKind.EDGE, "numbers", null),
                write(PartitioningKind.EDGE, "hashes", new TextIds(6)))) {
            assertThat(placed(edges, path, ids)).as("%s", path).containsExactly(Place.of(0, 0), Place.of(1, 1));
        }
        PartitionerOptions vertices = options(PartitioningKind.VERTEX, 2);
        assertThat(placed(vertices, write(PartitioningKind.VERTEX, "owners", null), ids))
                .containsExactly(Place.of(0, 0), Place.of(0, 1));
        Path part = Files.writeString(temp.resolve("names.part.2"), "0\n1\n");
        assertThatThrownBy(() -> StartPlaces.parse(part.toString()).read(vertices, ids))
                .hasMessageContaining("and the ids of the topic are text; give an output folder");
        assertThatThrownBy(() -> read(temp.resolve("numbers"), PartitioningKind.EDGE, 2))
                .hasMessageContaining("its ids stand for text (ids.csv)");
        Path integers = write(PartitioningKind.EDGE);
        assertThatThrownBy(() -> StartPlaces.parse(integers.toString()).read(edges, ids))
                .hasMessageContaining("its ids are integers, and the ids of the topic are text");
    }

    /** Returns where the path between the three texts is placed, all of it by what is given. */
    private int[] placed(PartitionerOptions options, Path path, TextIds ids) throws Exception {
        GivenPlaces given = StartPlaces.parse(path.toString()).read(options, ids);
        EdgeBatch edges = new EdgeBatch();
        TextHash hash = TextHash.of(ids.seed());
        for (int i = 0; i < 2; i++) {
            edges.add(hash.id(text(i)), hash.id(text(i + 1)));
        }
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null, "given", 1), temp.resolve("scratch"))) {
            run.add(edges);
            run.place(BulkProgress.NONE, given);
            try (PlacedInput places = run.places(0)) {
                places.fill(edges);
            }
        }
        assertThat(given.taken()).isEqualTo(given.given());
        return new int[] {edges.place(0), edges.place(1)};
    }

    private static byte[] text(int vertex) {
        return ("x:" + vertex).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aFileThatChangesAfterTheSubmissionIsRefused() throws IOException {
        Path file = Files.writeString(temp.resolve("places.txt"), "1 2 0\n");
        StartPlaces fixed = StartPlaces.parse(file.toString()).fixed();
        assertThat(StartPlaces.parse(fixed.toString())).isEqualTo(fixed);
        assertThat(fixed.read(options(PartitioningKind.EDGE, 2), null).given()).isEqualTo(1);

        Files.writeString(file, "1 2 1\n");
        assertThatThrownBy(() -> fixed.read(options(PartitioningKind.EDGE, 2), null))
                .hasStackTraceContaining(file + " has changed since the job was submitted");
        assertThat(fixed.fixed()).isEqualTo(fixed);
    }

    @Test
    void whatIsWrongIsNamed() throws IOException {
        assertThatThrownBy(() -> StartPlaces.parse("places.txt")).hasMessageContaining("must be an absolute path");
        StartPlaces missing = StartPlaces.parse(temp.resolve("none").toString());
        assertThatThrownBy(missing::fixed).hasMessageContaining("--start-from: there is no ");
        Path part = Files.writeString(temp.resolve("graph.part.3"), "0\n2\n");
        assertThatThrownBy(() -> read(part, PartitioningKind.EDGE, 3)).isInstanceOf(IOException.class);
    }
}
