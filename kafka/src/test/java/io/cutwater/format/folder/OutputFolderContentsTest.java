package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.folder.SampleRun.Edge;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of an output folder. */
class OutputFolderContentsTest {
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
        assertThat(SampleRun.entries(temp)).containsExactly(dir);
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
}
