package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.file.Compression;
import io.cutwater.state.graph.EdgeBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressedEdgeFileTest {
    @TempDir
    Path folder;

    private static byte[] edges(int count) {
        var random = new SplittableRandom(1);
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i).append(' ').append(random.nextInt()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "ZSTD"})
    void filesOfSeveralMembersAreReadToTheEnd(Compression compression) throws IOException {
        var members = new ByteArrayOutputStream();
        for (String member : new String[] {"1 2\n3", "", " 4\n5 6\n"}) {
            members.write(EdgeFileFixture.compress(member.getBytes(StandardCharsets.UTF_8), compression));
        }
        Path file = Files.write(folder.resolve("edges.txt" + compression.suffix()), members.toByteArray());
        assertThat(EdgeFileFixture.readAll(file)).containsExactly("1,2", "3,4", "5,6");
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "ZSTD"})
    void aFileCutShortGivesItsEdgesAndThenASentence(Compression compression) throws IOException {
        byte[] whole = EdgeFileFixture.compress(edges(200_000), compression);
        Path file =
                Files.write(folder.resolve("edges.txt" + compression.suffix()), Arrays.copyOf(whole, whole.length / 2));
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileReader reader = EdgeFileFixture.open(file)) {
            assertThatThrownBy(() -> {
                        while (reader.read(batch, 1000)) {}
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(".*edges\\.txt\\.\\w+ could be read up to line " + batch.size()
                            + " only: its \\w+ data is truncated or damaged \\(.*\\)\\. Get the file again; "
                            + compression.tool() + " -t tests it\\.");
        }
        assertThat(batch.size()).isBetween(80_000, 120_000);
        assertThat(batch.rejected()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "ZSTD"})
    void aDamagedFileIsASentence(Compression compression) throws IOException {
        byte[] bytes = EdgeFileFixture.compress(edges(100_000), compression);
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 100, (byte) 0x55);
        Path file = Files.write(folder.resolve("edges.txt" + compression.suffix()), bytes);
        assertThatThrownBy(() -> EdgeFileFixture.readAll(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("data is truncated or damaged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"edges.txt.gz", "edges.txt.zst", "edges.graph.gz"})
    void aCompressedFileOfNoBytesOrOfPlainTextIsASentence(String name) throws IOException {
        for (String content : new String[] {"", "1 2\n3 4\n"}) {
            Path file = Files.writeString(folder.resolve(name), content);
            assertThatThrownBy(() -> EdgeFileFixture.readAll(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(name + " could be read up to ")
                    .hasMessageContaining("data is truncated or damaged");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "ZSTD"})
    void aCompressedFileWithoutEdgesHasNone(Compression compression) throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("edges.txt" + compression.suffix()), "");
        assertThat(EdgeFileFixture.readAll(file)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"edges.txt.gz", "edges.txt.zst"})
    void aPositionBehindTheEndIsASentence(String name) {
        Path file = EdgeFileFixture.write(folder.resolve(name), "1 2\n");
        assertThatThrownBy(() -> EdgeFiles.open(file, EdgeFileFormat.TEXT, new EdgeFilePosition(9, 2, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is shorter than when it was read before");
    }

    @Test
    void arraysAndParquetAreNotCompressedFromOutside() {
        Path file = EdgeFileFixture.write(folder.resolve("edges.npy.gz"), "");
        assertThatThrownBy(() -> EdgeFileFixture.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("npy files are read as they are, not in .gz. Decompress it first.");
    }
}
