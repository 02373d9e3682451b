package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.file.ParallelTasks;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An output folder is complete or is not there, and replaces nothing by mistake. */
class OutputFolderTest {
    private static final byte[] REPORT = "{\"seconds\":1.5}\n".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path temp;

    private Path dir;

    @BeforeEach
    void nameTheFolder() {
        dir = temp.resolve("out");
    }

    @Test
    void edgesOfTheOtherKindDoNotBecomeAFolder() throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 0, 2, 100, 9, false, false);
        try (OutputFolder folder = OutputFolder.open(dir, false)) {
            run.stage(folder.staging(), 1);
            assertThatThrownBy(() -> folder.complete(run.description(), TableFormat.CSV, REPORT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has edges that are not of a partitioning of kind edge");
        }
        assertThat(dir).doesNotExist();
    }

    @Test
    void aCompleteFolderIsReplacedOnlyWithOverwrite() throws IOException {
        new SampleRun(1, 4, 100, 20, false, false).write(dir, TableFormat.CSV);
        assertThatThrownBy(() -> OutputFolder.open(dir, false))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "'%s' holds a complete output folder already; choose another one, or replace it with --overwrite",
                        dir);
        SampleRun other = new SampleRun(2, 2, 50, 20, false, false);
        try (OutputFolder folder = OutputFolder.open(dir, true)) {
            other.stage(folder.staging(), 1);
            assertThat(ShardFolder.open(dir).shardCount()).isEqualTo(4);
            folder.complete(other.description(), TableFormat.NPY, REPORT);
        }
        assertThat(SampleRun.read(ShardFolder.open(dir))).isEqualTo(other.shards);
        assertThat(dir.resolve("shards/00003")).doesNotExist();
        assertThat(SampleRun.entries(temp)).containsExactly(dir);
    }

    @Test
    void aFolderOfSomethingElseIsNeverReplaced() throws IOException {
        Files.createDirectories(dir);
        OutputFolder.refuseComplete(dir, false);
        Files.writeString(dir.resolve("manifest.json"), "{\"name\":\"a web page\"}");
        for (boolean overwrite : new boolean[] {false, true}) {
            assertThatThrownBy(() -> OutputFolder.open(dir, overwrite))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "is not empty and does not hold a Cutwater output folder (it holds 'manifest.json')");
        }
        Files.writeString(dir.resolve("manifest.json"), "not even JSON");
        assertThatThrownBy(() -> OutputFolder.refuseComplete(dir, true)).hasMessageContaining("is not empty");
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> OutputFolder.refuseComplete(file, true)).hasMessageContaining("is a file");
        assertThat(SampleRun.entries(temp)).containsExactlyInAnyOrder(dir, file);
    }

    @Test
    void aFolderThatFilledUpDuringTheRunIsNotReplaced() throws IOException {
        SampleRun run = new SampleRun(1, 2, 10, 4, false, false);
        try (OutputFolder folder = OutputFolder.open(dir, true)) {
            run.stage(folder.staging(), 1);
            Files.createDirectories(dir);
            Files.writeString(dir.resolve("precious"), "x");
            assertThatThrownBy(() -> folder.complete(run.description(), TableFormat.CSV, REPORT))
                    .hasMessageContaining("is not empty");
        }
        assertThat(SampleRun.files(dir)).containsOnlyKeys("precious");
    }

    @Test
    void twoRunsDoNotWriteTheSameFolderAtOnce() throws IOException {
        try (OutputFolder first = OutputFolder.open(dir, false)) {
            assertThatThrownBy(() -> OutputFolder.open(dir, false))
                    .isInstanceOf(IOException.class)
                    .hasMessage("another run is writing '%s'; wait for it, or choose another folder", dir);
            assertThat(first.staging().getParent()).isDirectory();
        }
        OutputFolder.open(dir, false).close();
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aWorkingFolderOfSomethingElseIsLeftAlone() throws IOException {
        Path work = Files.createDirectories(temp.resolve(".out.partial"));
        Files.writeString(work.resolve("mine"), "x");
        assertThatThrownBy(() -> OutputFolder.open(dir, true))
                .hasMessage("'%s' is needed as working folder and holds something else; move it away", work);
        assertThat(work.resolve("mine")).exists();
    }

    @Test
    void aRunThatFailsBeforeTheEndLeavesNoFolder() throws IOException {
        SampleRun run = new SampleRun(1, 3, 3000, 100, false, false);
        for (TableFormat format : TableFormat.values()) {
            try (OutputFolder folder = OutputFolder.open(dir, false)) {
                run.stage(folder.staging(), 1);
                Path last = FolderStaging.edges(folder.staging(), 2);
                long length = Files.size(last);
                byte[] whole = Files.readAllBytes(last);
                try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
                    channel.truncate(length - 1);
                }
                assertThatThrownBy(() -> folder.complete(run.description(), format, REPORT))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("edges-00002.bin is truncated within the frame");
                assertThat(dir).doesNotExist();
                Files.write(last, whole);
                folder.complete(run.description(), format, REPORT);
            }
            assertThat(SampleRun.read(ShardFolder.open(dir))).isEqualTo(run.shards);
            TemporaryFolder.delete(dir);
        }
    }

    @Test
    void onlyTheLastStepMakesAFolderThatCountsAsComplete() throws IOException {
        SampleRun run = new SampleRun(1, 3, 300, 100, true, false);
        Path staging = temp.resolve("staging");
        run.stage(staging, 1);
        Path scratch = Files.createDirectory(temp.resolve("scratch"));
        Path output = Files.createDirectory(temp.resolve("output"));
        try (ParallelTasks parallel = new ParallelTasks(3)) {
            FolderCompletion completion = new FolderCompletion(
                    staging, scratch, output, run.kind, run.description(), TableFormat.CSV, parallel);
            List<FolderStep> steps = new ArrayList<>(List.of(
                    () -> completion.writeTables(0), () -> completion.writeReport(REPORT), completion::writeManifest));
            for (FolderStep step : steps) {
                assertThatThrownBy(() -> ShardFolder.open(output))
                        .hasMessageContaining("is not a complete output folder: it has no manifest.json");
                step.run();
            }
            assertThat(SampleRun.read(ShardFolder.open(output))).isEqualTo(run.shards);
            assertThat(scratch).isEmptyDirectory();
        }
    }

    private interface FolderStep {
        void run() throws IOException;
    }

    @Test
    void aRunKilledBetweenTheTwoMovesOfAnOverwriteLosesNothing() throws IOException {
        SampleRun old = new SampleRun(1, 4, 100, 20, false, false);
        old.write(dir, TableFormat.CSV);
        Path work = Files.createDirectories(temp.resolve(".out.partial"));
        Files.createFile(work.resolve("cutwater.lock"));
        Files.move(dir, work.resolve("replaced"));
        assertThatThrownBy(() -> OutputFolder.open(dir, false)).hasMessageContaining("complete output folder already");
        assertThat(SampleRun.read(ShardFolder.open(dir))).isEqualTo(old.shards);
        assertThat(work).doesNotExist();
    }

    @Test
    void writesThroughALinkToAnEmptyFolderAndMakesMissingFoldersAbove() throws IOException {
        SampleRun run = new SampleRun(1, 2, 10, 4, false, false);
        Path real = Files.createDirectories(temp.resolve("a/real"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), real);
        run.write(link, TableFormat.CSV);
        assertThat(SampleRun.read(ShardFolder.open(real))).isEqualTo(run.shards);
        run.write(temp.resolve("x/y/z"), TableFormat.CSV);
        assertThat(SampleRun.read(ShardFolder.open(temp.resolve("x/y/z")))).isEqualTo(run.shards);
        assertThatThrownBy(() -> OutputFolder.open(Path.of("/"), false)).isInstanceOf(IOException.class);
    }

    @Test
    void aFormatThatThereIsNotIsRefusedWithThoseThatThereAre() {
        for (TableFormat format : TableFormat.values()) {
            assertThat(TableFormat.of(format.label())).isEqualTo(format);
        }
        assertThatThrownBy(() -> TableFormat.of("CSV"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown output format 'CSV'; it must be one of csv, parquet, npy, dgl, metis, graphbolt");
    }
}
