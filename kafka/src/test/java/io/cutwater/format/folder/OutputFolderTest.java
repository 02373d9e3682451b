package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.file.ParallelTasks;
import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void writesTheLayoutOfTheContractAndNothingElse() throws IOException {
        SampleRun run = new SampleRun(0, 2, 0, 1, false, false);
        run.add(1, new Edge(3, -1, Double.NaN, Long.MIN_VALUE));
        run.add(0, new Edge(3, 3, Double.NaN, Long.MIN_VALUE));
        run.add(1, new Edge(Long.MIN_VALUE, Long.MAX_VALUE, Double.NaN, Long.MIN_VALUE));
        run.write(dir, TableFormat.CSV);
        assertThat(SampleRun.files(dir))
                .containsOnlyKeys(
                        "manifest.json",
                        "partition-book.csv",
                        "report.json",
                        "shards/00000/edges.csv",
                        "shards/00000/vertices.csv",
                        "shards/00001/edges.csv",
                        "shards/00001/vertices.csv");
        assertThat(dir.resolve("shards/00000/edges.csv")).hasContent("src,dst\n3,3\n");
        assertThat(dir.resolve("shards/00001/edges.csv"))
                .hasContent("src,dst\n3,-1\n-9223372036854775808,9223372036854775807\n");
        assertThat(dir.resolve("shards/00000/vertices.csv")).hasContent("vertex,role,degree\n3,mirror,3\n");
        assertThat(dir.resolve("shards/00001/vertices.csv")).hasContent("""
                        vertex,role,degree
                        -9223372036854775808,master,1
                        -1,master,1
                        3,master,3
                        9223372036854775807,master,1
                        """);
        assertThat(dir.resolve("partition-book.csv")).hasContent("""
                        vertex,partition,replicas
                        -9223372036854775808,1,1
                        -1,1,1
                        3,1,0|1
                        9223372036854775807,1,1
                        """);
        assertThat(entries()).containsExactly(dir);
    }

    @Test
    void aVertexPartitioningHasEachCutEdgeInBothShardsAndCountsItOnce() throws IOException {
        SampleRun run = new SampleRun(PartitioningKind.VERTEX, 0, 2, 0, 1, false, false);
        run.owners.putAll(Map.of(1L, 0, 2L, 1, 3L, 1));
        run.add(new Edge(1, 2, Double.NaN, Long.MIN_VALUE));
        run.add(new Edge(3, 1, 2, Long.MIN_VALUE));
        run.add(new Edge(3, 2, Double.NaN, Long.MIN_VALUE));
        run.add(new Edge(1, 1, Double.NaN, Long.MIN_VALUE));
        Manifest manifest = run.write(dir, TableFormat.CSV);
        assertThat(dir.resolve("shards/00000/edges.csv")).hasContent("src,dst,weight\n1,2,\n3,1,2\n1,1,\n");
        assertThat(dir.resolve("shards/00001/edges.csv")).hasContent("src,dst,weight\n1,2,\n3,1,2\n3,2,\n");
        assertThat(dir.resolve("shards/00000/vertices.csv"))
                .hasContent("vertex,role,degree\n1,owned,4\n2,halo,2\n3,halo,2\n");
        assertThat(dir.resolve("shards/00001/vertices.csv"))
                .hasContent("vertex,role,degree\n1,halo,4\n2,owned,2\n3,owned,2\n");
        assertThat(dir.resolve("partition-book.csv"))
                .hasContent("vertex,partition,replicas\n1,0,0|1\n2,1,0|1\n3,1,0|1\n");
        assertThat(manifest.kind()).isEqualTo("vertex");
        assertThat(manifest.counts().edges()).isEqualTo(4);
        assertThat(manifest.counts().shards())
                .containsExactly(new Manifest.ShardCounts(3, 3), new Manifest.ShardCounts(3, 3));
        SampleRun ofEdges = new SampleRun(0, 2, 0, 1, false, false);
        assertThat(manifest.runId())
                .isNotEqualTo(
                        ofEdges.write(temp.resolve("edges"), TableFormat.CSV).runId());
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

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(temp)) {
            return entries.toList();
        }
    }

    @Test
    void columnsAreThereInEveryShardIfAnyEdgeOfTheRunHasAValue() throws IOException {
        SampleRun run = new SampleRun(0, 3, 0, 1, false, false);
        run.add(0, new Edge(1, 2, 1.5, Long.MIN_VALUE));
        run.add(0, new Edge(1, 2, 3, Long.MIN_VALUE));
        run.add(1, new Edge(4, 5, Double.NaN, 99));
        Manifest manifest = run.write(dir, TableFormat.CSV);
        assertThat(manifest.edgeColumns()).containsExactly("src", "dst", "weight", "timestamp");
        assertThat(dir.resolve("shards/00000/edges.csv")).hasContent("src,dst,weight,timestamp\n1,2,1.5,\n1,2,3,\n");
        assertThat(dir.resolve("shards/00001/edges.csv")).hasContent("src,dst,weight,timestamp\n4,5,,99\n");
        assertThat(dir.resolve("shards/00002/edges.csv")).hasContent("src,dst,weight,timestamp\n");
    }

    @Test
    void theManifestTellsOfTheRunAndHasNoTimeInIt() throws IOException {
        SampleRun run = new SampleRun(5, 3, 500, 40, false, true);
        Manifest written = run.write(dir, TableFormat.CSV);
        run.write(temp.resolve("again"), TableFormat.CSV);
        Manifest read = ShardFolder.open(dir).manifest();
        assertThat(read).isEqualTo(written);
        assertThat(read.run()).isEqualTo(run.description());
        assertThat(read.kind()).isEqualTo("edge");
        assertThat(read.runId()).matches("[0-9a-f]{16}");
        assertThat(read.counts().edges()).isEqualTo(500);
        assertThat(read.counts().vertices()).isEqualTo(run.replicas.size());
        assertThat(read.counts().shards())
                .extracting(Manifest.ShardCounts::edges)
                .containsExactlyElementsOf(
                        run.shards.stream().map(s -> (long) s.size()).toList());
        assertThat(read.files()).hasSize(8).containsKeys("report.json", "shards/00002/vertices.csv");
        assertThat(temp.resolve("again/manifest.json")).hasSameBinaryContentAs(dir.resolve("manifest.json"));
    }

    @Test
    void deadLettersAreWrittenAsRfc4180OnlyWhenThereAreAny() throws Exception {
        SampleRun run = new SampleRun(1, 1, 10, 4, false, false);
        run.write(temp.resolve("clean"), TableFormat.CSV);
        assertThat(temp.resolve("clean/dead-letters.csv")).doesNotExist();

        run.deadLetters.add(new RejectedRecord("two fields, not one", "a \"b\".txt", -1, 7, null, bytes("x\ny")));
        run.deadLetters.add(new RejectedRecord("bad", "edges", 3, 9, bytes("key"), new byte[] {(byte) 0xFF, 0}));
        run.deadLetters.add(new RejectedRecord("empty", "edges", 0, 1L << 40, null, new byte[0]));
        run.deadLetters.add(new RejectedRecord("long", "edges", 0, 1, null, bytes("y".repeat(3 << 20))));
        Manifest manifest = run.write(dir, TableFormat.PARQUET);
        assertThat(manifest.counts().deadLetters()).isEqualTo(4);
        assertThat(Files.readString(dir.resolve("dead-letters.csv")))
                .isEqualTo("reason,origin,partition,offset,value,length,sha256\r\n"
                        + "\"two fields, not one\",\"a \"\"b\"\".txt\",,7,\"x\ny\",3," + sha256(bytes("x\ny")) + "\r\n"
                        + "bad,edges,3,9,base64:/wA=,2," + sha256(new byte[] {(byte) 0xFF, 0}) + "\r\n"
                        + "empty,edges,0,1099511627776,,0," + sha256(new byte[0]) + "\r\n"
                        + "long,edges,0,1," + "y".repeat(64 << 10) + "," + (3 << 20) + ","
                        + sha256(bytes("y".repeat(3 << 20))) + "\r\n");
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
        assertThat(entries()).containsExactly(dir);
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
        assertThat(entries()).containsExactlyInAnyOrder(dir, file);
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
                .hasMessage("unknown output format 'CSV'; it must be one of csv, parquet, npy, dgl, metis");
    }
}
