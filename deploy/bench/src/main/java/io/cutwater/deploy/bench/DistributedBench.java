package io.cutwater.deploy.bench;

import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.job.topology.DistributedOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures the CPU time of the distributed topology against that of the fused one, file to staged shards. The runs of
 * all topologies alternate, and the broker of the loop runs in the same process in all of them.
 *
 * <p>A job has costs that do not grow with the graph: it starts, and the virtual machine compiles it. So each topology
 * also places the first quarter of the edges alone. What the whole takes above that is the price of the edges behind
 * the first quarter.
 */
final class DistributedBench {
    private static final long CACHE_BYTES = 1L << 30;
    /** Numbers of tables that are compared with the fused topology where none is named. */
    private static final List<Integer> TASKS = List.of(1, 2, 4);

    private static final int FUSED = 0;
    private static final int WARM_UPS = 1;
    private static final double LEAST_SHOWN = 0.005;
    private static final double MICROS = 1e6;

    private final EdgeInput whole;
    private final EdgeInput quarter;
    private final PartitionerOptions partitioner;
    private final EmbeddedBroker broker;
    private final Path brokerFolder;
    private final List<Integer> tasks;
    private int started;

    /** One run; {@code loopBytes} are those of the log of topic {@code vertex-updates}. */
    private record Run(MeasuredJob job, long loopBytes) {
        long edges() {
            return job.quality().edges();
        }
    }

    /** Two runs of a topology: one with the whole graph, one with the first quarter of its edges. */
    private record Pair(Run whole, Run quarter) {
        /** Returns the µs for each edge behind the first quarter, from the seconds that each run took. */
        double microsBehind(double wholeSeconds, double quarterSeconds) {
            return (wholeSeconds - quarterSeconds) * MICROS / (whole.edges() - quarter.edges());
        }

        double microsBehind() {
            return microsBehind(whole.job.processSeconds(), quarter.job.processSeconds());
        }
    }

    private DistributedBench(
            EdgeInput whole,
            EdgeInput quarter,
            PartitionerOptions partitioner,
            EmbeddedBroker broker,
            Path brokerFolder,
            List<Integer> tasks) {
        this.whole = whole;
        this.quarter = quarter;
        this.partitioner = partitioner;
        this.broker = broker;
        this.brokerFolder = brokerFolder;
        this.tasks = tasks;
    }

    /** @param tasks numbers of tables that are compared with the fused topology; empty for the usual ones */
    static void run(String graph, PartitionerOptions partitioner, int runs, List<Integer> tasks, PrintStream out)
            throws Exception {
        out.printf(
                "fused and distributed, %s, %s (%s), k = %d, medians of %d runs after %d warm-ups%n%n",
                graph,
                partitioner.algorithm(),
                partitioner.kind().label(),
                partitioner.partitionCount(),
                runs,
                WARM_UPS);
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            Path brokerFolder = temporary.path().resolve("kafka");
            try (EmbeddedBroker broker = EmbeddedBroker.start(brokerFolder)) {
                Path file = BenchGraph.file(graph, temporary.path());
                new DistributedBench(
                                BenchGraph.input(file),
                                BenchGraph.input(BenchGraph.firstQuarter(file, temporary.path())),
                                partitioner,
                                broker,
                                brokerFolder,
                                tasks.isEmpty() ? TASKS : tasks)
                        .run(runs, out);
            }
        }
    }

    private void run(int runs, PrintStream out) throws Exception {
        Map<Integer, List<Pair>> all = new TreeMap<>();
        for (int i = -WARM_UPS; i < runs; i++) {
            for (int compared = 0; compared <= tasks.size(); compared++) {
                int tables = compared == 0 ? FUSED : tasks.get(compared - 1);
                Pair pair = new Pair(run(whole, tables), run(quarter, tables));
                if (i >= 0) {
                    all.computeIfAbsent(tables, key -> new ArrayList<>()).add(pair);
                }
            }
        }
        List<Pair> fused = all.getOrDefault(FUSED, List.of());
        out.println(
                "| topology | wall s | CPU s of the process | ratio to fused | µs an edge behind the first quarter |"
                        + " ratio to fused | busiest thread | its CPU s | lookups an edge | loop bytes an edge | RF |");
        out.println("|---|---|---|---|---|---|---|---|---|---|---|");
        all.forEach((tasks, some) -> print(tasks, some, fused, out));
        out.printf("%n| CPU time, µs an edge | %s |%n", String.join(" | ", names(all)));
        out.println("|---|" + "---|".repeat(all.size()));
        printThreads(all, (pair, seconds) -> seconds.applyAsDouble(pair.whole) * MICROS / pair.whole.edges(), out);
        out.printf("%n| µs an edge behind the first quarter | %s |%n", String.join(" | ", names(all)));
        out.println("|---|" + "---|".repeat(all.size()));
        printThreads(
                all,
                (pair, seconds) ->
                        pair.microsBehind(seconds.applyAsDouble(pair.whole), seconds.applyAsDouble(pair.quarter)),
                out);
    }

    private List<String> names(Map<Integer, List<Pair>> all) {
        return all.keySet().stream().map(this::name).toList();
    }

    private String name(int tasks) {
        return tasks == FUSED ? "fused" : "P = %d, A = %d".formatted(tasks, assigners(tasks));
    }

    /** As many as there are tables, if the algorithm copes with that. */
    private int assigners(int tasks) {
        return Algorithms.of(partitioner).needsOneAssigner(partitioner) ? 1 : tasks;
    }

    private Run run(EdgeInput input, int tasks) throws Exception {
        MeasuredJob.Work work = MeasuredJob.Work.of(input, partitioner, CACHE_BYTES);
        if (tasks == FUSED) {
            return new Run(MeasuredJob.run(work), 0);
        }
        Topics topics = new Topics("run" + started++ + "-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.loop(tasks));
        }
        DistributedOptions distributed = new DistributedOptions(
                new SpreadOptions(SpreadOptions.DEFAULT_BUCKETS, tasks, assigners(tasks)),
                new LoopOptions(broker.bootstrapServers(), topics.vertexUpdates(), Map.of()));
        MeasuredJob job = MeasuredJob.run(work.over(distributed));
        return new Run(job, logBytes(topics.vertexUpdates()));
    }

    private long logBytes(String topic) throws IOException {
        try (Stream<Path> files = Files.walk(brokerFolder)) {
            return files.filter(file -> file.toString().endsWith(".log")
                            && file.getName(file.getNameCount() - 2).toString().startsWith(topic + "-"))
                    .mapToLong(DistributedBench::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void print(int tasks, List<Pair> runs, List<Pair> fused, PrintStream out) {
        Run last = runs.get(runs.size() - 1).whole;
        out.printf(
                "| %s | %.1f | %.1f | %.2f | %.3f | %.2f | %s | %.1f | %.3f | %.1f | %.4f |%n",
                name(tasks),
                median(runs, pair -> pair.whole.job.seconds()),
                median(runs, pair -> pair.whole.job.processSeconds()),
                medianRatio(runs, fused, pair -> pair.whole.job.processSeconds()),
                median(runs, Pair::microsBehind),
                medianRatio(runs, fused, Pair::microsBehind),
                BusiestThread.work(last.job.busiest()),
                median(runs, pair -> pair.whole.job.busiestSeconds()),
                tasks == FUSED ? 0 : (double) last.job.lookups() / last.edges(),
                (double) last.loopBytes / last.edges(),
                last.job.replicationFactor());
    }

    /** Prints a row for each kind of thread, of the last runs. */
    private static void printThreads(
            Map<Integer, List<Pair>> all, ToDoubleBiFunction<Pair, ToDoubleFunction<Run>> micros, PrintStream out) {
        List<Pair> last =
                all.values().stream().map(runs -> runs.get(runs.size() - 1)).toList();
        TreeSet<String> threads = new TreeSet<>();
        last.forEach(pair -> threads.addAll(pair.whole.job.cpuSeconds().keySet()));
        for (String thread : threads) {
            double[] row = last.stream()
                    .mapToDouble(pair -> micros.applyAsDouble(
                            pair, run -> run.job.cpuSeconds().getOrDefault(thread, 0.0)))
                    .toArray();
            if (Arrays.stream(row).max().orElse(0) >= LEAST_SHOWN) {
                String cells = String.join(
                        " | ", Arrays.stream(row).mapToObj("%.3f"::formatted).toList());
                out.printf("| %s | %s |%n", thread, cells);
            }
        }
    }

    private static double median(List<Pair> runs, ToDoubleFunction<Pair> value) {
        return median(runs.stream().mapToDouble(value).toArray());
    }

    /** Returns the median of the ratios of runs that follow each other. */
    private static double medianRatio(List<Pair> runs, List<Pair> fused, ToDoubleFunction<Pair> value) {
        return median(IntStream.range(0, runs.size())
                .mapToDouble(i -> value.applyAsDouble(runs.get(i)) / value.applyAsDouble(fused.get(i)))
                .toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
