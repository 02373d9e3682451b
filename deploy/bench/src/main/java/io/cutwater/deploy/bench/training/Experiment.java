package io.cutwater.deploy.bench.training;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.format.VertexSplit;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph and the settings with which a bench trains on it.
 *
 * @param name name of the graph's folder
 * @param scratch an existing folder that is deleted at the end
 */
record Experiment(String name, AccuracySettings settings, DatasetFolder graph, Path scratch, PrintStream out)
        implements RoundListener {
    /** Time for a round, which no bench reaches. */
    static final Duration WAIT = Duration.ofHours(1);

    /** A bench. */
    interface Body {
        void run(Experiment experiment) throws Exception;
    }

    /** A training with one seed. */
    interface Training {
        /** @param folder a new folder */
        TrainingResult run(VertexData data, TrainerOptions options, TemporaryFolder folder)
                throws IOException, InterruptedException;
    }

    /** The trainings of all seeds. */
    record Outcome(List<TrainingResult> results) {
        private List<Double> accuracies() {
            return results.stream().map(Experiment::testPercent).toList();
        }

        /** Returns the mean test accuracy in percent. */
        double mean() {
            return accuracies().stream()
                    .mapToDouble(Double::doubleValue)
                    .average()
                    .orElseThrow();
        }

        /** Returns the deviation of a sample: divided by one less than its size. */
        double deviation() {
            double mean = mean();
            double squares = accuracies().stream()
                    .mapToDouble(value -> (value - mean) * (value - mean))
                    .sum();
            return Math.sqrt(squares / Math.max(1, results.size() - 1));
        }
    }

    /**
     * Prints the settings and runs a bench.
     *
     * @param folder see {@link DatasetFolder}
     * @param usual settings of the bench
     * @param changes settings of the user, see {@link AccuracySettings}
     */
    static void run(Path folder, List<String> usual, List<String> changes, PrintStream out, Body body)
            throws Exception {
        String name = String.valueOf(folder.getFileName());
        List<String> all = new ArrayList<>(usual);
        all.addAll(changes);
        AccuracySettings settings = new AccuracySettings(name, all);
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            DatasetFolder graph = new DatasetFolder(folder, settings, temporary.path());
            out.printf("%s, %s%n%n", name, settings);
            body.run(new Experiment(name, settings, graph, temporary.path(), out));
        }
    }

    /** Returns the graph in shards of the settings' algorithm. */
    GraphShards shards() {
        return GraphShards.by(
                settings.text("algorithm"), settings.number("partitions"), graph.edges(), graph.vertexCount(), false);
    }

    /** Returns the graph as one shard. */
    GraphShards whole() {
        return GraphShards.whole(graph.edges(), graph.vertexCount());
    }

    /** Trains once with each seed, and prints the test accuracies. */
    Outcome train(Training training) throws IOException, InterruptedException {
        List<TrainingResult> results = new ArrayList<>();
        for (String text : settings.list("seeds")) {
            long seed = Long.parseLong(text);
            try (TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "seed")) {
                results.add(training.run(graph.data(seed), settings.training(seed), folder));
            }
            System.gc(); // unmaps the stores of this seed, which otherwise add up to gigabytes
            out.printf(" %.2f", testPercent(results.get(results.size() - 1)));
            out.flush();
        }
        return new Outcome(results);
    }

    private static double testPercent(TrainingResult result) {
        return 100 * result.counts().accuracy(VertexSplit.TEST);
    }

    /** Returns the CPU time of the process. */
    static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    @Override
    public void roundDone(RoundReport report) {}

    @Override
    public void shardMissing(int round, int shard, String sentence) {
        throw new IllegalStateException("shard %d: %s".formatted(shard, sentence));
    }
}
