package io.cutwater.kafka.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.csv.CsvTables;
import io.cutwater.format.folder.ShardOutput;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.npy.NpyTables;
import io.cutwater.format.parquet.ParquetTables;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.replay.ShardReader.Found;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardFilesTest {
    @TempDir
    private Path temp;

    @Test
    void writesTheTablesOfAnOutputFolderWithTheVertexDataInTheOrderOfTheVertices() throws IOException {
        ShardReplay shard = owned();
        shard.apply(new VertexRecord(9, new float[] {0.5f, -2}, 4, VertexSplit.TRAIN));
        shard.apply(new VertexRecord(-1, new float[0], VertexRecord.NO_LABEL, VertexSplit.TEST));
        shard.apply(new VertexRecord(77, new float[] {1, 1, 1}, 9, VertexSplit.VAL)); // has no edge here
        ObjectNode summary =
                ShardFiles.write(new Found(shard, 1, 20), "shards", null, TableFormat.CSV, dir("a"), false);

        assertThat(dir("a").resolve("edges.csv")).hasContent("src,dst,weight\n-1,-1,\n-1,9,0.5\n-1,9,0.5\n9,5,\n");
        assertThat(dir("a").resolve("vertices.csv"))
                .hasContent("vertex,role,degree\n-1,owned,4\n5,halo,1\n9,owned,3\n");
        assertThat(floats("a/features.npy")).containsExactly(0, 0, 0, 0, 0.5f, -2);
        assertThat(last("a/split.npy", 3)).containsExactly(3, 0, 1);
        assertThat(ByteBuffer.wrap(last("a/labels.npy", 24))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong(16))
                .isEqualTo(4);
        assertThat(summary.toString())
                .startsWith("{\"topic\":\"shards\",\"shard\":3,\"kind\":\"vertex\",\"topicPartition\":1,\"offset\":20,"
                        + "\"generation\":2,\"owned\":2,\"halo\":1,\"verticesWithData\":2,\"features\":2,\"labels\":true,"
                        + "\"split\":true,\"cutwater\":1,\"format\":\"csv\",\"edges\":4,\"vertices\":3,\"files\":{");
        assertThat(new ObjectMapper()
                        .readTree(dir("a").resolve(ShardOutput.SUMMARY).toFile())
                        .toString())
                .isEqualTo(summary.toString());
        assertThat(names("a"))
                .containsExactly("edges.csv", "features.npy", "labels.npy", "shard.json", "split.npy", "vertices.csv");
    }

    @Test
    void textsOfIdsAreBesideTheTables() throws IOException {
        ShardFiles.write(
                new Found(owned(), 1, 20),
                "shards",
                vertex -> (vertex == 5 ? "a \"b\", c" : "user:" + vertex).getBytes(StandardCharsets.UTF_8),
                TableFormat.CSV,
                dir("a"),
                false);
        assertThat(dir("a").resolve("ids.csv")).hasContent("id,text\n-1,user:-1\n5,\"a \"\"b\"\", c\"\n9,user:9\n");
        assertThat(names("a")).containsExactly("edges.csv", "ids.csv", "shard.json", "vertices.csv");
    }

    @ParameterizedTest
    @EnumSource(names = {"CSV", "PARQUET", "NPY"})
    void theSameShardGivesTheSameBytes(TableFormat format) throws IOException {
        ShardFiles.write(new Found(owned(), 0, 7), "shards", null, format, dir("a"), false);
        ShardReplay other = owned();
        // What came and went in between shows nowhere.
        other.apply(new Header(Kind.ADOPT_OWNED, 2), edge(1, 2, Place.of(3, 0)));
        other.apply(new Header(Kind.ADOPT_OWNED, 2), edge(-1, -1, Place.of(3, 3)));
        other.apply(new Header(Kind.EVICT_OWNED, 2), edge(1, 2, Place.of(3, 0)));
        other.apply(new Header(Kind.EVICT_OWNED, 2), edge(-1, -1, Place.of(3, 3)));
        ShardFiles.write(new Found(other, 0, 7), "shards", null, format, dir("b"), false);
        assertThat(names("a")).isEqualTo(names("b"));
        for (String name : names("a")) {
            assertThat(dir("a").resolve(name)).hasSameBinaryContentAs(dir("b").resolve(name));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CSV", "PARQUET", "NPY"})
    void edgesHaveTheirKeys(TableFormat format) throws IOException {
        ShardReplay shard = new ShardReplay(0);
        EdgeBatch edges = edge(2, 1, EdgeBatch.NO_PLACE);
        edges.add(2, 1, 0.5, 7, -8);
        edges.add(3, 1, Double.NaN, EdgeBatch.NO_TIMESTAMP, 9);
        shard.apply(new Header(Kind.ADD, 0), edges);
        Path dir = Files.createDirectories(dir("shards")).resolve("00000");
        ShardFiles.write(new Found(shard, 0, 7), "shards", null, format, dir, false);
        if (format == TableFormat.CSV) {
            assertThat(dir.resolve("edges.csv"))
                    .hasContent("src,dst,weight,timestamp,key\n2,1,,,\n2,1,0.5,7,-8\n3,1,,,9\n");
        }
        List<String> read = new ArrayList<>();
        ShardTables tables = switch (format) {
            case CSV -> new CsvTables(VertexRoles.of(PartitioningKind.EDGE));
            case NPY -> new NpyTables();
            default -> new ParquetTables(VertexRoles.of(PartitioningKind.EDGE));
        };
        tables.readEdges(temp, 0, (number, batch) -> {
            for (int i = 0; i < batch.size(); i++) {
                read.add(batch.weight(i) + " " + batch.timestamp(i) + " " + batch.key(i));
            }
        });
        assertThat(read)
                .containsExactly(
                        "NaN %d %d".formatted(EdgeBatch.NO_TIMESTAMP, EdgeBatch.NO_KEY),
                        "0.5 7 -8",
                        "NaN %d 9".formatted(EdgeBatch.NO_TIMESTAMP));
    }

    @Test
    void ofAnEdgePartitioningNobodyTellsTheMasters() throws IOException {
        ShardReplay shard = new ShardReplay(0);
        shard.apply(new Header(Kind.ADD, 0), edge(2, 1, EdgeBatch.NO_PLACE));
        ShardFiles.write(new Found(shard, 0, 7), "shards", null, TableFormat.CSV, dir("a"), false);
        assertThat(dir("a").resolve("vertices.csv")).hasContent("vertex,role,degree\n1,replica,1\n2,replica,1\n");
    }

    @Test
    void aShardWithoutRecordsIsEmptyTables() throws IOException {
        ObjectNode summary =
                ShardFiles.write(new Found(new ShardReplay(4), 0, 7), "shards", null, TableFormat.CSV, dir("a"), false);
        assertThat(dir("a").resolve("edges.csv")).hasContent("src,dst\n");
        assertThat(dir("a").resolve("vertices.csv")).hasContent("vertex,role,degree\n");
        assertThat(summary.has("kind")).isFalse();
    }

    @Test
    void isThereWholeOrNotAtAll() throws IOException {
        ShardReplay torn = owned();
        torn.apply(new VertexRecord(9, new float[] {1}, 0, VertexSplit.NONE));
        torn.apply(new VertexRecord(5, new float[] {1, 2}, 0, VertexSplit.NONE));
        assertThatThrownBy(
                        () -> ShardFiles.write(new Found(torn, 0, 7), "shards", null, TableFormat.CSV, dir("a"), false))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "in shard 3 vertex 9 has 1 features, and others have 2; write it again onto topic vertices");
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).isEmpty();
        }

        Found found = new Found(owned(), 0, 7);
        ShardFiles.write(found, "shards", null, TableFormat.CSV, dir("a"), false);
        assertThatThrownBy(() -> ShardFiles.write(found, "shards", null, TableFormat.CSV, dir("a"), false))
                .hasMessageContaining("holds a complete shard folder already");
        ShardFiles.write(found, "shards", null, TableFormat.NPY, dir("a"), true);
        assertThat(names("a")).containsExactly("edges.npy", "shard.json", "vertices.npy", "weights.npy");
        Files.createDirectory(dir("mine"));
        Files.writeString(dir("mine").resolve("notes.txt"), "keep");
        assertThatThrownBy(() -> ShardFiles.write(found, "shards", null, TableFormat.CSV, dir("mine"), true))
                .hasMessageContaining("is not empty and does not hold a Cutwater shard folder");
        assertThatThrownBy(() -> ShardFiles.write(found, "shards", null, TableFormat.DGL, dir("dgl"), true))
                .hasMessageContaining("csv, parquet or npy, not as dgl");
    }

    @Test
    void refusesAVertexWithTwoOwners() {
        ShardReplay shard = owned();
        shard.apply(new Header(Kind.ADOPT_OWNED, 2), edge(3, 9, Place.of(3, 1)));
        assertThatThrownBy(shard::vertices)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("in shard 3 vertex 9 has two owners, 1 and 3: no commit is at this offset");
    }

    private static ShardReplay owned() {
        ShardReplay shard = new ShardReplay(3);
        shard.apply(new Header(Kind.ADD_OWNED, 2), edge(9, 5, Place.of(3, 0)));
        EdgeBatch two = new EdgeBatch();
        for (int i = 0; i < 2; i++) {
            two.add(-1, 9, 0.5, EdgeBatch.NO_TIMESTAMP);
            two.setPlace(i, Place.of(3, 3));
        }
        shard.apply(new Header(Kind.ADD_OWNED, 2), two);
        shard.apply(new Header(Kind.ADD_OWNED, 2), edge(-1, -1, Place.of(3, 3)));
        return shard;
    }

    private static EdgeBatch edge(long source, long target, int place) {
        EdgeBatch edges = new EdgeBatch(1);
        edges.add(source, target);
        if (place != EdgeBatch.NO_PLACE) {
            edges.setPlace(0, place);
        }
        return edges;
    }

    private Path dir(String name) {
        return temp.resolve(name);
    }

    private List<String> names(String dir) throws IOException {
        try (Stream<Path> files = Files.list(dir(dir))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private byte[] last(String file, int bytes) throws IOException {
        byte[] all = Files.readAllBytes(temp.resolve(file));
        return Arrays.copyOfRange(all, all.length - bytes, all.length);
    }

    private float[] floats(String file) throws IOException {
        float[] floats = new float[6];
        ByteBuffer.wrap(last(file, 24))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(floats);
        return floats;
    }
}
