package io.cutwater.flink.connector.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.bulk.work.InputWork;
import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.pass.WaitingSplitSerializer;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkSourceTest {
    private static final int EDGES = 30_000;
    private static final int ENOUGH = 1_000_000;
    private static final PartitionerOptions CUTWATER =
            PartitionerOptions.ofEdges("cutwater", 4, 1, PassMode.BULK, Map.of("imbalance", "0.1"));
    private static final PartitionerOptions LDG = PartitionerOptions.ofVertices("ldg", 4, 1, PassMode.BULK, Map.of());

    @TempDir
    private Path folder;

    private Path temporary = Path.of("");
    private EdgeInput input = new EdgeInput.Files(List.of());
    private List<Path> files = List.of();

    @BeforeEach
    void writeFiles() throws IOException {
        temporary = folder.resolve("tmp");
        SplittableRandom random = new SplittableRandom(9);
        files = List.of(folder.resolve("a.txt"), folder.resolve("b.txt"));
        List<EdgeFile> edgeFiles = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < EDGES / 2; i++) {
                lines.add("%d %d %d".formatted(random.nextInt(500), random.nextInt(500), i % 7));
                if (i % 5_000 == 3) {
                    lines.add("no edge " + file.getFileName() + i);
                }
            }
            Files.write(file, lines);
            edgeFiles.add(new EdgeFile(file.toString(), EdgeFileFormat.TEXT, Files.size(file)));
        }
        input = new EdgeInput.Files(edgeFiles);
    }

    @Test
    void emitsTheInputInItsOrderWithThePlacesOfTheBulkRun() throws Exception {
        List<String> all = undisturbed(source(CUTWATER, null));

        assertThat(all.stream().filter(line -> line.startsWith("rejected")))
                .hasSize(6)
                .contains("rejected b.txt at 5006: no edge b.txt5003");
        assertThat(all.stream().filter(line -> !line.startsWith("rejected")))
                .containsExactlyElementsOf(placedInMemory(CUTWATER));
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void givesVerticesOwners() throws Exception {
        List<String> all = undisturbed(source(LDG, null));
        assertThat(all.stream().filter(line -> !line.startsWith("rejected")))
                .containsExactlyElementsOf(placedInMemory(LDG));
    }

    @Test
    void leavesDuplicatesWithoutAPlace() throws Exception {
        List<String> all = undisturbed(source(CUTWATER, DuplicateRule.UNDIRECTED));
        long distinct = all.stream()
                .filter(line -> !line.startsWith("rejected"))
                .map(line -> line.split(" ", -1))
                .map(ends -> List.of(
                        Math.min(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])),
                        Math.max(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]))))
                .distinct()
                .count();
        assertThat(all).hasSize(EDGES + 6);
        assertThat(all.stream().filter(line -> line.endsWith("on -1"))).hasSize((int) (EDGES - distinct));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aCrashAnywhereEmitsEveryEdgeOnceWithItsPlace(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        BulkSource source = source(CUTWATER, null);
        List<String> committed = new ArrayList<>();
        List<BulkSplit> checkpoint = List.of(BulkSplit.WHOLE);
        boolean hasEnded = false;
        for (int crashes = 0; !hasEnded; crashes++) {
            try (SimulatedTask task = new SimulatedTask(source, temporary, checkpoint)) {
                if (crashes < 3) {
                    // Somewhere in the reading or in the passes.
                    task.await(random.nextInt(100_000));
                }
                while (!hasEnded && (crashes >= 12 || random.nextInt(4) > 0)) {
                    task.await(crashes < 3 ? 1 : 60_000_000);
                    task.poll(1 + random.nextInt(5_000));
                    hasEnded = task.hasEnded();
                    if (hasEnded || random.nextInt(3) == 0) {
                        checkpoint = task.checkpoint();
                        committed.addAll(task.emitted());
                        task.emitted().clear();
                    }
                }
            }
            if (random.nextBoolean()) {
                source = source(CUTWATER, null); // on another machine, as it were
            }
        }
        List<String> undisturbed = undisturbed(source(CUTWATER, null));
        assertThat(Arrays.mismatch(committed.toArray(), undisturbed.toArray()))
                .as("the first line that differs")
                .isEqualTo(-1);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void leavesThePlacesToTheNextAttemptWhileItEmits() throws Exception {
        BulkSource source = source(CUTWATER, null);
        List<BulkSplit> checkpoint;
        try (SimulatedTask task = new SimulatedTask(source, temporary, List.of(BulkSplit.WHOLE))) {
            task.await(60_000_000);
            task.poll(1);
            checkpoint = task.checkpoint();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).hasSize(1);
        }
        // An attempt that had to read the files before it emits would fail.
        Files.delete(files.get(0));
        try (SimulatedTask task = new SimulatedTask(
                source, temporary, List.of(new BulkSplit(EDGES / 2, new InputPosition(1, EdgeFilePosition.START))))) {
            while (!task.hasEnded()) {
                task.await(60_000_000);
                task.poll(ENOUGH);
            }
            assertThat(task.emitted()).hasSize(EDGES / 2 + 3);
        }
        assertThat(checkpoint.get(0).edges()).isPositive();
    }

    @Test
    void anInputThatChangesIsRefused() throws Exception {
        BulkSource source = source(CUTWATER, null);
        try (SimulatedTask task = new SimulatedTask(source, temporary, List.of(BulkSplit.WHOLE))) {
            task.await(60_000_000);
            Files.writeString(files.get(1), "1 2\n", StandardOpenOption.APPEND);
            assertThatThrownBy(() -> {
                        while (!task.hasEnded()) {
                            task.poll(ENOUGH);
                            task.await(60_000_000);
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("must not change");
        }
    }

    @Test
    void readsTheSplitThatItWrote() throws IOException {
        BulkSplit split = new BulkSplit(1L << 40, new InputPosition(3, new EdgeFilePosition(5, 6, 7)));
        BulkSplitSerializer serializer = new BulkSplitSerializer();
        assertThat(serializer.deserialize(1, serializer.serialize(split))).isEqualTo(split);
        WaitingSplitSerializer<BulkSplit> waiting = new WaitingSplitSerializer<>(new BulkSplitSerializer());
        assertThat(waiting.deserialize(1, waiting.serialize(List.of(split)))).containsExactly(split);
        assertThat(waiting.deserialize(1, waiting.serialize(List.of()))).isEmpty();
        assertThatThrownBy(() -> serializer.deserialize(2, serializer.serialize(split)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 2");
    }

    private BulkSource source(PartitionerOptions options, @Nullable DuplicateRule dedupe) {
        return new BulkSource(new InputWork.Place(input, options, dedupe, null, InputWork.Shown.ALL, 1));
    }

    private List<String> undisturbed(BulkSource source) throws Exception {
        try (SimulatedTask task = new SimulatedTask(source, temporary, List.of(BulkSplit.WHOLE))) {
            while (!task.hasEnded()) {
                task.await(60_000_000);
                task.poll(ENOUGH);
            }
            return task.emitted();
        }
    }

    private List<String> placedInMemory(PartitionerOptions options) throws Exception {
        EdgeBatch edges = new EdgeBatch();
        for (Path file : files) {
            for (String line : Files.readAllLines(file)) {
                if (!line.startsWith("no")) {
                    String[] columns = line.split(" ", -1);
                    edges.add(
                            Long.parseLong(columns[0]),
                            Long.parseLong(columns[1]),
                            Double.parseDouble(columns[2]),
                            EdgeBatch.NO_TIMESTAMP);
                }
            }
        }
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null), folder.resolve("in-memory"))) {
            run.add(edges);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(edges);
            }
        }
        return Stream.iterate(0, i -> i + 1)
                .limit(edges.size())
                .map(i -> SimulatedTask.line(edges, i))
                .toList();
    }
}
