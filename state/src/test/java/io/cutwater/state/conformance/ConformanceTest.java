package io.cutwater.state.conformance;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.AlgorithmProvider;
import io.cutwater.state.partition.PartitionerOptions;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests for users' partitioners find what is wrong with those that break a rule each. */
class ConformanceTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder;

    /** Edges in turn, by a count that no checkpoint holds. */
    public static final class Forgetful implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("forgetful", "For a test.").liveAndBulk(options -> {
                int[] count = new int[1];
                return (vertices, source, target, loads) -> count[0]++ % loads.partitionCount();
            });
        }
    }

    /** All edges of a run on the partition after that of the run before. */
    public static final class Shared implements AlgorithmProvider {
        private static final AtomicInteger RUNS = new AtomicInteger();

        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("shared", "For a test.").liveAndBulk(options -> {
                int run = RUNS.incrementAndGet();
                return (vertices, source, target, loads) -> run % loads.partitionCount();
            });
        }
    }

    /** A partitioner that is wrong by one partition. */
    public static final class TooFar implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("too-far", "For a test.").liveAndBulk(options -> {
                return (vertices, source, target, loads) -> source == target ? loads.partitionCount() : 0;
            });
        }
    }

    /** Good, and balanced. */
    public static final class LeastLoaded implements AlgorithmProvider {
        @Override
        public Algorithm algorithm() {
            return Algorithm.ofEdges("least-loaded", "For a test.").liveAndBulk(options -> {
                return (vertices, source, target, loads) -> loads.leastLoaded();
            });
        }
    }

    /** Promises that no partition has more than its share, rounded up. */
    private static final class Kit extends EdgePartitionerConformance {
        @Override
        protected Stream<PartitionerOptions> partitioners() {
            return Stream.of();
        }

        @Override
        protected double maxEdges(PartitionerOptions options, long placed) {
            return Math.ceil((double) placed / options.partitionCount());
        }
    }

    @BeforeEach
    void provide() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(
                services.resolve(AlgorithmProvider.class.getName()),
                Stream.of(Forgetful.class, Shared.class, TooFar.class, LeastLoaded.class)
                        .map(Class::getName)
                        .toList());
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    }

    @AfterEach
    void forget() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private static PartitionerOptions options(String name) {
        return PartitionerOptions.ofEdges(name, 3, 1);
    }

    private static void fails(Runnable test) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(test::run);
    }

    @Test
    void aCountThatNoCheckpointHoldsIsFound() {
        fails(() -> new Kit().goesOnAfterARestoreAsIfNothingHadHappened(options("forgetful")));
    }

    @Test
    void aCountThatOutlivesARunIsFound() {
        fails(() -> new Kit().theSameInputGetsTheSamePlaces(options("shared")));
    }

    @Test
    void aBrokenPromiseOfBalanceIsFound() {
        fails(() -> new Kit().noPartitionIsAboveTheCap(options("shared")));
    }

    @Test
    void aPartitionThatIsNotThereIsFound() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> new Kit().selfLoopsDuplicatesAndVerySmallGraphsArePlaced(options("too-far")));
    }

    @Test
    void whatKeepsTheRulesPasses() {
        Kit kit = new Kit();
        PartitionerOptions good = options("least-loaded");
        assertThatCode(() -> {
                    kit.everyEdgeIsPlacedAndTheTablesAreWhatARecountFinds(good);
                    kit.theSameInputGetsTheSamePlaces(good);
                    kit.selfLoopsDuplicatesAndVerySmallGraphsArePlaced(good);
                    kit.noPartitionIsAboveTheCap(good);
                    kit.doesNotDependOnHowTheEdgesAreCutIntoBatches(good);
                    kit.doesNotDependOnTheSizeOfTheCache(good);
                    kit.goesOnAfterARestoreAsIfNothingHadHappened(good);
                    kit.oneThatRunsInSeveralTasksKeepsNothingBesideTheTables(good);
                })
                .doesNotThrowAnyException();
    }
}
