package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.audit.EdgePartitionAudit.Fingerprint;
import io.cutwater.format.audit.PartitionAudit;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.format.json.ReportJson;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Output folders of earlier builds, kept in the test resources {@code golden/VERSION}: this build reads them whole. */
class GoldenFolderTest {
    private static final int VERTICES = 200;
    private static final int FEATURES = 3;

    @TempDir
    private Path temp;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"v1, edge-csv", "v1, edge-npy", "v1, edge-parquet", "v1, vertex-csv"})
    void aFolderOfAnEarlierBuildHasEveryEdgeAndWhatIsKnownOfEveryVertex(String version, String name)
            throws IOException {
        ShardFolder folder = ShardFolder.open(unpack(version, name));
        folder.verify();
        PartitionAudit recount = PartitionAudit.begin(folder);
        folder.readEdges(recount::add);
        assertThat(recount.firstDifference(folder)).isEmpty();
        assertThat(recount.fingerprint()).isEqualTo(input(version));
        byte[] report = Files.readAllBytes(folder.root().resolve(OutputFolder.REPORT));
        assertThat(ReportJson.read(report).quality()).isEqualTo(recount.report(0));
        int[] homes = new int[1];
        for (int shard = 0; shard < folder.shardCount(); shard++) {
            folder.readVertexData(shard, (vertex, isHome, features, label, split) -> {
                homes[0] += isHome ? 1 : 0;
                if (isHome) {
                    assertThat(features).hasSize(FEATURES);
                    assertThat(features[1]).as("vertex %d", vertex).isEqualTo(vertex / 40);
                    assertThat((long) label).isEqualTo(vertex / 40);
                }
            });
        }
        assertThat(homes[0]).isEqualTo(VERTICES);
    }

    private Path unpack(String version, String name) throws IOException {
        Path folder = temp.resolve(name);
        try (ZipInputStream zip = new ZipInputStream(resource(version, name + ".zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
        return folder;
    }

    private Fingerprint input(String version) throws IOException {
        Path edges = temp.resolve("edges.txt.gz");
        try (InputStream in = resource(version, "edges.txt.gz")) {
            Files.copy(in, edges);
        }
        Fingerprint fingerprint = Fingerprint.NONE;
        try (EdgeFileReader reader = EdgeFiles.open(edges, EdgeFileFormat.TEXT, EdgeFilePosition.START)) {
            EdgeBatch batch = new EdgeBatch();
            while (reader.read(batch, EdgeBatch.DEFAULT_CAPACITY)) {
                fingerprint = fingerprint.plus(batch);
                batch.clear();
            }
        }
        return fingerprint;
    }

    private static InputStream resource(String version, String name) {
        String resource = "/golden/%s/%s".formatted(version, name);
        return Objects.requireNonNull(GoldenFolderTest.class.getResourceAsStream(resource), resource);
    }
}
