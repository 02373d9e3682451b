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
import java.util.stream.Stream;

/**
 * Measures the CPU time of the distributed topology against that of the fused one, file to staged shards. The runs of
 * all topologies alternate, and the broker of the loop runs in the same process in all of them.
 */
final class DistributedBench {
    private static final long CACHE_BYTES = 1L << 30;
    /** Numbers of tables that are compared with the fused topology where none is named. */
    private static final List<Integer> TASKS = List.of(1, 2, 4);

    private static final int FUSED = 0;
    private static final int WARM_UPS = 1;
    private static final double LEAST_SHOWN = 0.005;
    private static final double MICROS = 1e6;

    private final EdgeInput input;
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

    private DistributedBench(
            EdgeInput input,
            PartitionerOptions partitioner,
            EmbeddedBroker broker,
            Path brokerFolder,
            List<Integer> tasks) {
        this.input = input;
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
                EdgeInput input = BenchGraph.input(BenchGraph.file(graph, temporary.path()));
                new DistributedBench(input, partitioner, broker, brokerFolder, tasks.isEmpty() ? TASKS : tasks)
                        .run(runs, out);
            }
        }
    }

    private void run(int runs, PrintStream out) throws Exception {
        Map<Integer, List<Run>> all = new TreeMap<>();
        for (int i = -WARM_UPS; i < runs; i++) {
            for (int compared = 0; compared <= tasks.size(); compared++) {
                int tables = compared == 0 ? FUSED : tasks.get(compared - 1);
                Run run = run(tables);
                if (i >= 0) {
                    all.computeIfAbsent(tables, key -> new ArrayList<>()).add(run);
                }
            }
        }
        List<Run> fused = all.getOrDefault(FUSED, List.of());
        out.println("| topology | wall s | CPU s of the process | ratio to fused | busiest thread | its CPU s |"
                + " lookups an edge | loop bytes an edge | RF |");
        out.println("|---|---|---|---|---|---|---|---|---|");
        all.forEach((tasks, some) -> print(tasks, some, fused, out));
        out.printf("%n| CPU time, µs an edge | %s |%n", String.join(" | ", names(all)));
        out.println("|---|" + "---|".repeat(all.size()));
        printThreads(all, out);
    }

    private List<String> names(Map<Integer, List<Run>> all) {
        return all.keySet().stream().map(this::name).toList();
    }

    private String name(int tasks) {
        return tasks == FUSED ? "fused" : "P = %d, A = %d".formatted(tasks, assigners(tasks));
    }

    /** As many as there are tables, if the algorithm copes with that. */
    private int assigners(int tasks) {
        return Algorithms.of(partitioner).needsOneAssigner(partitioner) ? 1 : tasks;
    }

    private Run run(int tasks) throws Exception {
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

    private void print(int tasks, List<Run> runs, List<Run> fused, PrintStream out) {
        double[] ratios = new double[runs.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = runs.get(i).job.processSeconds() / fused.get(i).job.processSeconds();
        }
        Run last = runs.get(runs.size() - 1);
        out.printf(
                "| %s | %.1f | %.1f | %.2f | %s | %.1f | %.3f | %.1f | %.4f |%n",
                name(tasks),
                median(runs.stream().mapToDouble(run -> run.job.seconds()).toArray()),
                median(runs.stream()
                        .mapToDouble(run -> run.job.processSeconds())
                        .toArray()),
                median(ratios),
                BusiestThread.work(last.job.busiest()),
                median(runs.stream()
                        .mapToDouble(run -> run.job.busiestSeconds())
                        .toArray()),
                tasks == FUSED ? 0 : (double) last.job.lookups() / last.edges(),
                (double) last.loopBytes / last.edges(),
                last.job.replicationFactor());
    }

    private void printThreads(Map<Integer, List<Run>> all, PrintStream out) {
        Map<String, double[]> rows = new TreeMap<>();
        int column = 0;
        for (List<Run> runs : all.values()) {
            Run last = runs.get(runs.size() - 1);
            for (Map.Entry<String, Double> thread : last.job.cpuSeconds().entrySet()) {
                rows.computeIfAbsent(thread.getKey(), key -> new double[all.size()])[column] =
                        thread.getValue() * MICROS / last.edges();
            }
            column++;
        }
        rows.forEach((thread, micros) -> {
            if (Arrays.stream(micros).max().orElse(0) >= LEAST_SHOWN) {
                String cells = String.join(
                        " | ", Arrays.stream(micros).mapToObj("%.3f"::formatted).toList());
                out.printf("| %s | %s |%n", thread, cells);
            }
        });
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
