package io.cutwater.flink.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.AlgorithmProvider;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.rule.EdgePartitioner;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Re-partitioning with an algorithm that a user has added. */
final class UserAlgorithmTest {
    private static final int K = 3;

    /** Places every edge in the first partition, and runs in a single task only. */
    public static final class Stubborn implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("stubborn", "The first partition for all.").liveAndBulk(options -> new Rule());
        }

        private static final class Rule implements EdgePartitioner {
            @Override
            public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
                return 0;
            }

            @Override
            public boolean needsOneAssigner() {
                return true;
            }
        }
    }

    @Test
    void refusesToChangePartitionsOfAUsersAlgorithmThatCannot(@TempDir Path jar) throws Exception {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(AlgorithmProvider.class.getName()), Stubborn.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            AssignOptions options = new AssignOptions(
                    PartitionerOptions.ofEdges("stubborn", K, 5, PassMode.LIVE, Map.of()),
                    1,
                    true,
                    Duration.ofSeconds(1),
                    Duration.ofHours(1),
                    true);
            try (AssignerHarness harness = AssignerHarness.open(options, null)) {
                EdgeBatch edges = new EdgeBatch();
                edges.add(1, 2);
                harness.processElement(new StreamRecord<>(edges));
                for (int partitions : new int[] {2, 5}) {
                    JobCommand command =
                            new JobCommand.Repartition("to-" + partitions, partitions, 1, Long.MAX_VALUE, false);
                    harness.command(new CommandEvent(command, null));
                    harness.prepareSnapshotPreBarrier(partitions);
                    harness.snapshot(partitions, partitions);
                    assertThat(harness.drain(AssignerOperator.PLANS))
                            .containsExactly(
                                    RepartitionStatus.refused(
                                            command.id(),
                                            0,
                                            K,
                                            "stubborn cannot leave partitions alone while edges move; submit the job with --algorithm cutwater"));
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
