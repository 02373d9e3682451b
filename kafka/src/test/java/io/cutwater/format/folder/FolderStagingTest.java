package io.cutwater.format.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.format.binary.StagedFiles;
import io.cutwater.format.table.EdgeFrames;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FolderStagingTest {
    @TempDir
    Path temp;

    static LongStream seeds() {
        return LongStream.range(0, 9);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void restoresAtRandomPointsChangeNoByteOfTheOutput(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        SampleRun run = new SampleRun(
                seed, random.nextInt(1, 20), random.nextInt(1, 20_000), 500, random.nextBoolean(), seed % 3 == 0);
        run.deadLetters.add(new RejectedRecord("bad", "f", -1, 3, null, new byte[] {1}));
        TableFormat format = SampleRun.format(seed);
        Manifest undisturbed = run.write(temp.resolve("undisturbed"), format);

        try (OutputFolder folder = OutputFolder.open(temp.resolve("disturbed"), false)) {
            stageWithCrashes(run, folder.staging(), random);
            Manifest disturbed = folder.complete(run.description(), format, "{}".getBytes(StandardCharsets.UTF_8));
            assertThat(disturbed).isEqualTo(undisturbed);
        }
        Map<String, byte[]> expected = SampleRun.files(temp.resolve("undisturbed"));
        Map<String, byte[]> actual = SampleRun.files(temp.resolve("disturbed"));
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        actual.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
    }

    /** Runs all steps with checkpoints now and then, and crashes now and then that go back to the last checkpoint. */
    private static void stageWithCrashes(SampleRun run, Path folder, SplittableRandom random) throws IOException {
        List<SampleRun.Step> steps = run.steps(random);
        FolderStaging staging = FolderStaging.create(folder, run.shardCount);
        long[] checkpoint = staging.flush();
        int checkpointed = 0;
        int crashes = 0;
        for (int i = 0; i < steps.size() || crashes == 0; i++) {
            if (i == steps.size() || (crashes < 10 && random.nextInt(10) == 0)) {
                crashes++;
                if (random.nextBoolean()) {
                    staging.flush(); // bytes that no checkpoint knows of
                }
                staging.close();
                staging = FolderStaging.restore(folder, run.shardCount, checkpoint);
                i = checkpointed - 1;
                continue;
            }
            steps.get(i).run(staging);
            if (random.nextInt(8) == 0) {
                checkpoint = staging.flush();
                checkpointed = i + 1;
            }
        }
        staging.flush();
        staging.close();
    }

    @ParameterizedTest
    @EnumSource
    void theOutputIsTheSameHoweverEdgesAreCutIntoBatches(TableFormat format) throws IOException {
        SampleRun run = new SampleRun(3, 5, 30_000, 2_000, true, true);
        for (int cutSeed = 0; cutSeed < 2; cutSeed++) {
            try (OutputFolder folder = OutputFolder.open(temp.resolve("cut" + cutSeed), false)) {
                run.stage(folder.staging(), cutSeed);
                folder.complete(run.description(), format, new byte[0]);
            }
        }
        assertThat(SampleRun.files(temp.resolve("cut1")).get("manifest.json"))
                .isEqualTo(SampleRun.files(temp.resolve("cut0")).get("manifest.json"));
    }

    @Test
    void stagesFourThousandShardsWithFewOpenFiles() throws IOException {
        Path folder = temp.resolve("staging");
        EdgeBatch edge = new EdgeBatch();
        edge.add(1, 2);
        try (FolderStaging staging = FolderStaging.create(folder, 4096)) {
            for (int round = 0; round < 2; round++) {
                for (int shard = 0; shard < 4096; shard++) {
                    staging.append(shard, edge);
                }
                staging.flush();
                assertThat(openFiles(folder)).isLessThanOrEqualTo(StagedFiles.MAX_OPEN);
            }
            assertThat(staging.flush()).hasSize(4098).containsOnly(48L, 0L);
        }
        assertThat(openFiles(folder)).isZero();
    }

    @Test
    void refusesAnEdgeOfWhichTheShardOwnsNeitherEnd() throws IOException {
        EdgeBatch edges = new EdgeBatch();
        edges.add(7, 8);
        edges.setPlace(0, Place.of(2, 0));
        try (FolderStaging staging = FolderStaging.create(temp.resolve("staging"), 3)) {
            staging.append(0, edges);
            staging.append(2, edges);
            assertThatThrownBy(() -> staging.append(1, edges))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("edge (7, 8) is not of shard 1, which owns neither end: 2, 0");
            edges.add(8, 9);
            assertThatThrownBy(() -> staging.append(0, edges)).hasMessageStartingWith("edge (8, 9) is not of shard 0");
        }
    }

    private static long openFiles(Path folder) throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors), "counts open files by /proc, which is not there");
        try (Stream<Path> links = Files.list(descriptors)) {
            return links.filter(link -> pointsInto(link, folder)).count();
        }
    }

    private static boolean pointsInto(Path link, Path folder) {
        try {
            return Files.readSymbolicLink(link).startsWith(folder.toRealPath());
        } catch (IOException e) {
            return false; // closed since it was listed
        }
    }

    @Test
    void createEmptiesWhatAnEarlierRunStaged() throws IOException {
        SampleRun run = new SampleRun(1, 8, 1000, 100, false, false);
        run.stage(temp, 1);
        try (FolderStaging staging = FolderStaging.create(temp, 4)) {
            assertThat(staging.flush()).containsOnly(0);
        }
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void refusesAFolderThatHoldsOtherThings() throws IOException {
        Files.writeString(temp.resolve("thesis.tex"), "years of work");
        assertThatThrownBy(() -> FolderStaging.create(temp, 4))
                .isInstanceOf(IOException.class)
                .hasMessage("%s is no staging folder: it holds 'thesis.tex'; choose another folder", temp);
        assertThat(temp.resolve("thesis.tex")).hasContent("years of work");
    }

    @Test
    void refusesToRestoreAFileThatIsShorterThanRecorded() throws IOException {
        new SampleRun(1, 2, 100, 10, false, false).stage(temp, 1);
        long actual = Files.size(temp.resolve("edges-00001.bin"));
        assertThatThrownBy(() -> FolderStaging.restore(temp, 2, new long[] {0, actual + 1, 0, 0}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "edges-00001.bin has %d bytes, but the checkpoint recorded %d", actual, actual + 1);
        Files.delete(temp.resolve("edges-00001.bin"));
        assertThatThrownBy(() -> FolderStaging.restore(temp, 2, new long[] {0, actual, 0, 0}))
                .hasMessageContaining("edges-00001.bin has 0 bytes, but the checkpoint recorded %d", actual);
    }

    @Test
    void aFullDiskIsASentenceWithTheFolderAndTheBytes() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/full")), "needs /dev/full, which is not there");
        try (FolderStaging staging = FolderStaging.create(temp, 1)) {
            Path link = Files.createSymbolicLink(temp.resolve("edges-00000.bin"), Path.of("/dev/full"));
            EdgeBatch edge = new EdgeBatch();
            edge.add(1, 2);
            staging.append(0, edge);
            assertThatThrownBy(staging::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("cannot write 24 bytes to .*edges-00000.bin, where -?\\d+ bytes are free: .*");
            Files.delete(link);
        }
    }

    @Test
    void refusesRowsThatThePartitionBookCannotHold() throws IOException {
        try (FolderStaging staging = FolderStaging.create(temp, 4)) {
            assertThatThrownBy(() -> staging.append(row(9, 1)))
                    .hasMessage("vertex 9: its master 1 is not among its 0 replicas");
            assertThatThrownBy(() -> staging.append(row(9, 1, 0, 2)))
                    .hasMessage("vertex 9: its master 1 is not among its 2 replicas");
            assertThatThrownBy(() -> staging.append(row(9, 2, 2, 1)))
                    .hasMessage("vertex 9: replicas must ascend and be in [0, 3]: 1 after 2");
            assertThatThrownBy(() -> staging.append(row(9, 4, 4)))
                    .hasMessage("vertex 9: replicas must ascend and be in [0, 3]: 4 after -1");
            assertThat(staging.flush()).containsOnly(0);
        }
    }

    private static VertexBatch row(long vertex, int master, int... replicas) {
        VertexBatch batch = new VertexBatch();
        batch.add(vertex, 1, master);
        for (int replica : replicas) {
            batch.addReplica(replica);
        }
        return batch;
    }

    @Test
    void aFileCutOffWithinAFrameIsAnErrorWithItsByte() throws IOException {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        try (FolderStaging staging = FolderStaging.create(temp, 1)) {
            staging.append(0, edges);
            staging.append(0, edges);
            staging.flush();
        }
        Path file = FolderStaging.edges(temp, 0);
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {25, 31, 32, 47}) {
            Files.write(file, Arrays.copyOf(bytes, length));
            try (EdgeFrames frames = new EdgeFrames(file)) {
                assertThat(frames.next()).isTrue();
                assertThatThrownBy(frames::next)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is truncated within the frame that begins at byte 24");
            }
        }
        bytes[24 + 7] = 9;
        Files.write(file, bytes);
        try (EdgeFrames frames = new EdgeFrames(file)) {
            assertThat(frames.next()).isTrue();
            assertThatThrownBy(frames::next).hasMessageContaining("holds no frame of version 1 at byte 24");
        }
    }
}
