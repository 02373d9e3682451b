package io.cutwater.deploy.bench;

import io.cutwater.deploy.input.FileIngest;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.output.TopicOutputOptions;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Measures topic {@code edges} in batches to topic {@code shards} in transactions, with a checkpoint every 5 s. Broker
 * and job share the process, and so its cores.
 */
final class KafkaBench {
    private static final int SHARD_TOPIC_PARTITIONS = 8;
    private static final long CACHE_BYTES = 1L << 30;
    private static final int WARM_UPS = 1;
    /** Kinds of threads that are listed below a run. */
    private static final int THREADS = 12;

    private KafkaBench() {}

    static void run(String graph, PartitionerOptions partitioner, int runs, PrintStream out) throws Exception {
        out.printf(
                "Kafka to Kafka, exactly once, %s, %s, k = %d, after %d warm-ups%n%n",
                graph, partitioner.algorithm(), partitioner.partitionCount(), WARM_UPS);
        out.println("| edges | wall s | M edges/s | M edges/s while placing | M edges per CPU s of the busiest thread |"
                + " busiest thread | CPU s of the process | M edges per CPU s of it |");
        out.println("|---|---|---|---|---|---|---|---|");
        try (TemporaryFolder temporary = TemporaryFolder.create();
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.path().resolve("kafka"))) {
            Topics topics = new Topics("");
            InputRequest.Topic edges =
                    new InputRequest.Topic(broker.bootstrapServers(), topics, topics.edges(), EdgeEventFormat.BATCH);
            Path file = BenchGraph.file(graph, temporary.path());
            Progress.Display silent =
                    new Progress.Display(ProgressStyle.OFF, 0, new PrintWriter(Writer.nullWriter()), System::nanoTime);
            FileIngest.run(new InputRequest.Files(List.of(file), null), edges, 0, silent);
            for (int run = -WARM_UPS; run < runs; run++) {
                MeasuredJob job = MeasuredJob.run(new MeasuredJob.Work(
                        input(edges),
                        partitioner,
                        CACHE_BYTES,
                        MeasuredJob.Work.ROCKSDB_BYTES,
                        Duration.ofSeconds(5),
                        output(edges.bootstrapServers(), run + WARM_UPS)));
                if (run >= 0) {
                    print(job, out);
                }
            }
        }
    }

    private static void print(MeasuredJob job, PrintStream out) {
        double millions = job.quality().edges() / 1e6;
        out.printf(
                "| %,d | %.2f | %.2f | %.2f | %.2f | %s | %.1f | %.2f |%n",
                job.quality().edges(),
                job.seconds(),
                millions / job.seconds(),
                millions / job.placingSeconds(),
                millions / job.busiestSeconds(),
                job.busiest(),
                job.processSeconds(),
                millions / job.processSeconds());
        job.cpuSeconds().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(THREADS)
                .forEach(entry -> out.printf("    %.2f s %s%n", entry.getValue(), entry.getKey()));
    }

    private static EdgeInput input(InputRequest.Topic edges) {
        try (TopicAdmin admin = TopicAdmin.connect(edges.bootstrapServers(), Map.of())) {
            return new EdgeInput.Topic(
                    edges.bootstrapServers(),
                    edges.topic(),
                    edges.format(),
                    admin.offsets().beginnings(edges.topic()),
                    admin.offsets().ends(edges.topic()),
                    Map.of());
        }
    }

    /** Each run has topics of its own. */
    static TopicOutputOptions output(String bootstrapServers, int run) {
        Topics topics = new Topics("run" + run + "-");
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    topics.spec(topics.shards(), SHARD_TOPIC_PARTITIONS),
                    topics.spec(topics.partitionBook(), 1),
                    topics.spec(topics.ids(), 1),
                    topics.spec(topics.quality(), 1),
                    topics.spec(topics.report(), 1),
                    topics.spec(topics.deadLetters(), 1));
        }
        return new TopicOutputOptions(
                bootstrapServers, topics.prefix(), topics.prefix() + "bench", Duration.ofMinutes(5), Map.of());
    }
}
