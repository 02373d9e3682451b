package io.cutwater.flink.connector.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.folder.FolderStaging;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.state.bulk.GivenPlaces;
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
        return StartPlaces.parse(path.toString()).read(options(kind, k));
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
        Path dir = temp.resolve("shards");
        boolean hasOwners = kind == PartitioningKind.VERTEX;
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            try (FolderStaging staging = FolderStaging.create(folder.staging(), 2)) {
                staging.append(0, edge(0, 1, hasOwners, 0, 0));
                staging.append(1, edge(1, 2, hasOwners, 0, 1));
                if (hasOwners) {
                    staging.append(0, edge(1, 2, true, 0, 1));
                }
                VertexBatch rows = new VertexBatch();
                for (int vertex = 0; vertex < 3; vertex++) {
                    rows.add(vertex, vertex == 1 ? 2 : 1, vertex / 2);
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
            RunDescription run = new RunDescription("0.2.0", "cutwater", Map.of(), 7, 2, List.of());
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

    @Test
    void aFileThatChangesAfterTheSubmissionIsRefused() throws IOException {
        Path file = Files.writeString(temp.resolve("places.txt"), "1 2 0\n");
        StartPlaces fixed = StartPlaces.parse(file.toString()).fixed();
        assertThat(StartPlaces.parse(fixed.toString())).isEqualTo(fixed);
        assertThat(fixed.read(options(PartitioningKind.EDGE, 2)).given()).isEqualTo(1);

        Files.writeString(file, "1 2 1\n");
        assertThatThrownBy(() -> fixed.read(options(PartitioningKind.EDGE, 2)))
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
