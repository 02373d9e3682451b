package io.cutwater.deploy.bench;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures what keys of edges cost: CPU time of a live job that keeps its edges, topic to topics exactly once, with a
 * checkpoint every 5 s and all vertices in the cache, over the same JSON records with and without {@code --edge-key
 * :key}. Each record has a key of its own. The runs alternate, and the fastest ones count. The broker is in the
 * process, and its threads are not counted as the job's.
 */
final class KeysBench {
    private static final int WARM_UPS = 1;
    private static final double MICROS = 1e6;
    private static final double LEAST_SHOWN = 0.02;
    private static final Duration SAMPLE = Duration.ofMillis(20);
    private static final int SAMPLES_A_THREAD = 5;
    private static final String BROKER = "data-plane-kafka";

    private final EmbeddedBroker broker;
    private final PartitionerOptions partitioner;
    private final Path file;
    private long records;
    private int jobs;

    private KeysBench(EmbeddedBroker broker, PartitionerOptions partitioner, Path file) {
        this.broker = broker;
        this.partitioner = partitioner;
        this.file = file;
    }

    static void run(String graph, PartitionerOptions partitioner, int runs, PrintStream out) throws Exception {
        out.printf(
                "%s, %s, k = %d, µs of CPU time per record, fastest of %d runs each after %d warm-up%n%n",
                graph, partitioner.algorithm(), partitioner.partitionCount(), runs, WARM_UPS);
        try (TemporaryFolder temporary = TemporaryFolder.create();
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.path().resolve("kafka"))) {
            new KeysBench(broker, partitioner, BenchGraph.file(graph, temporary.path())).run(runs, out);
        }
    }

    private void run(int runs, PrintStream out) throws Exception {
        double[][] seconds = new double[2][runs];
        List<Map<String, Double>> threads = List.of(new HashMap<>(), new HashMap<>());
        for (int run = -WARM_UPS; run < runs; run++) {
            for (int keyed = 0; keyed < 2; keyed++) {
                Map<String, Double> used = measure(keyed == 1);
                for (Map.Entry<String, Double> work : used.entrySet()) {
                    if (run >= 0) {
                        threads.get(keyed).merge(work.getKey(), work.getValue(), Math::min);
                        seconds[keyed][run] += work.getKey().startsWith(BROKER) ? 0 : work.getValue();
                    }
                }
            }
        }
        double plain = Arrays.stream(seconds[0]).min().orElseThrow() * MICROS / records;
        double keyed = Arrays.stream(seconds[1]).min().orElseThrow() * MICROS / records;
        out.println("| CPU time of | without keys | with keys |");
        out.println("|---|---|---|");
        TreeSet<String> names = new TreeSet<>(threads.get(0).keySet());
        names.addAll(threads.get(1).keySet());
        for (String name : names) {
            double before = threads.get(0).getOrDefault(name, 0.0) * MICROS / records;
            double after = threads.get(1).getOrDefault(name, 0.0) * MICROS / records;
            if (Math.max(before, after) >= LEAST_SHOWN) {
                out.printf("| %s | %.2f | %.2f |%n", name, before, after);
            }
        }
        double[] ratios = new double[runs];
        Arrays.setAll(ratios, run -> seconds[1][run] / seconds[0][run]);
        Arrays.sort(ratios);
        out.printf(
                "| job | %.2f | %.2f |%n%nratio %.2f (pairs: %.2f to %.2f)%n",
                plain, keyed, keyed / plain, ratios[0], ratios[runs - 1]);
    }

    /** Runs a job until it has placed all edges; returns the CPU seconds by what threads do. */
    private Map<String, Double> measure(boolean hasKeys) throws Exception {
        Topics topics = new Topics("run" + jobs++ + "-");
        Map<String, String> options = new HashMap<>(Map.of(
                "bootstrap-servers", broker.bootstrapServers(),
                "topic-prefix", topics.prefix(),
                "algorithm", partitioner.algorithm(),
                "partitions", Integer.toString(partitioner.partitionCount()),
                "keep-edges", "true",
                "event-format", "json",
                "source", "src",
                "target", "dst",
                "checkpoint-interval", "5s"));
        if (hasKeys) {
            options.put("edge-key", ":key");
        }
        records = write(topics);
        try (TemporaryFolder temporary = TemporaryFolder.create()) {
            BusiestThread threads = new BusiestThread();
            double before = BusiestThread.processSeconds();
            try (EmbeddedRun run = EmbeddedRun.startLive(
                    LiveJobOptions.of(options), temporary.path(), MeasuredJob.Work.ROCKSDB_BYTES, 0)) {
                for (int i = 0; run.metrics().value("edges").orElse(0) < records && !run.await(SAMPLE); i++) {
                    if (i % SAMPLES_A_THREAD == 0) {
                        threads.sample();
                    }
                }
                threads.sample();
                return threads.seconds(BusiestThread.processSeconds() - before);
            }
        }
    }

    /** Writes one record per edge, and returns their number. */
    private long write(Topics topics) throws IOException {
        long written = 0;
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 1));
        }
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 20),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                EdgeFileSupplier edges =
                        new EdgeFileSupplier(new InputRequest.Files(List.of(file), EdgeFileFormat.TEXT), null)) {
            for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                for (int i = 0; i < batch.size(); i++) {
                    String value = "{\"src\":%d,\"dst\":%d}".formatted(batch.source(i), batch.target(i));
                    producer.send(new ProducerRecord<>(
                            topics.edges(), bytes("payment-" + (1_000_000 + written++)), bytes(value)));
                }
            }
        }
        return written;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
