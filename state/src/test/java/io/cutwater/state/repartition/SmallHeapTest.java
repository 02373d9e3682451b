package io.cutwater.state.repartition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.parts.ThreadExchange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans in a process whose heap is smaller than the edges. */
class SmallHeapTest {
    private static final int HEAP_MIB = 20;
    private static final int EDGES = 1_500_000; // 24 MB as two ids each
    private static final int VERTICES = 6_000;
    private static final int COMMUNITY = 60;
    private static final int PARTITIONS = 4;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aPartHoldsNoEdgesInMemory(PartitioningKind kind) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MIB + "m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallHeapTest.class.getName(),
                        kind.name(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("planned %d edges".formatted(EDGES));
    }

    /** @param arguments kind and folder */
    public static void main(String[] arguments) throws Exception {
        PartitioningKind kind = PartitioningKind.valueOf(arguments[0]);
        Path folder = Path.of(arguments[1]);
        RepartitionRequest request = new RepartitionRequest(
                new PartitionerOptions(kind, "cutwater", PARTITIONS, 7, PassMode.LIVE, Map.of()), PARTITIONS, 0.3);
        List<RepartitionPlan> plans = ThreadExchange.run(1, exchange -> {
            try (RepartitionRun run =
                    RepartitionRun.create(request, folder.resolve("scratch"), exchange, vertex -> 0)) {
                EdgeBatch batch = new EdgeBatch();
                for (int i = 0; i < EDGES; i++) {
                    long source = Math.floorMod(Hashing.mix64(i), (long) VERTICES);
                    long target = source / COMMUNITY * COMMUNITY + Math.floorMod(Hashing.mix64(~i), COMMUNITY);
                    batch.add(source, target);
                    batch.setPlace(batch.size() - 1, Place.of(place(kind, source, i), place(kind, target, i)));
                    if (batch.size() == EdgeBatch.DEFAULT_CAPACITY || i + 1 == EDGES) {
                        run.add(batch);
                        batch.clear();
                    }
                }
                for (long vertex = 0; vertex < VERTICES && kind.hasOwners(); vertex++) {
                    run.own(vertex, place(kind, vertex, 0));
                }
                return run.plan(BulkProgress.NONE);
            }
        });
        System.out.printf(
                "planned %d edges, %d of which move%n",
                plans.get(0).edges(), plans.get(0).edgesToMove());
    }

    private static int place(PartitioningKind kind, long vertex, int edge) {
        return (int) ((kind.hasOwners() ? vertex : edge) % PARTITIONS);
    }
}
