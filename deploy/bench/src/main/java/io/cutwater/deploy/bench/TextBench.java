package io.cutwater.deploy.bench;

import io.cutwater.deploy.input.EdgeFileSupplier;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.scratch.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Measures what text ids cost: CPU time of the whole job, topic to topics exactly once, with a checkpoint every 5 s and
 * all vertices in the cache, over the same edges in the same format once with integers and once with texts
 * {@code user:N}. The runs alternate, and the fastest ones count, because other processes can only slow a run down. The
 * broker is in the process, and its threads are not counted as the job's.
 */
final class TextBench {
    private static final long CACHE_BYTES = 1L << 30;
    private static final int WARM_UPS = 1;
    private static final double MICROS = 1e6;
    private static final String BROKER = "data-plane-kafka";

    private final EmbeddedBroker broker;
    private final PartitionerOptions partitioner;
    private final int runs;
    private int outputs;

    private TextBench(EmbeddedBroker broker, PartitionerOptions partitioner, int runs) {
        this.broker = broker;
        this.partitioner = partitioner;
        this.runs = runs;
    }

    static void run(String graph, PartitionerOptions partitioner, int runs, PrintStream out) throws Exception {
        out.printf(
                "%s, %s, k = %d, µs of CPU time per edge, fastest of %d runs each after %d warm-up%n%n",
                graph, partitioner.algorithm(), partitioner.partitionCount(), runs, WARM_UPS);
        out.println("| format | job, integers | job, texts | ratio (of pairs) | process, integers | process, texts |"
                + " ratio |");
        out.println("|---|---|---|---|---|---|---|");
        try (TemporaryFolder temporary = TemporaryFolder.create();
                EmbeddedBroker broker = EmbeddedBroker.start(temporary.path().resolve("kafka"))) {
            TextBench bench = new TextBench(broker, partitioner, runs);
            Path file = BenchGraph.file(graph, temporary.path());
            bench.row("csv", "%d %d", "user:%d user:%d", Map.of(), file, out);
            bench.row(
                    "json",
                    "{\"src\":%d,\"dst\":%d}",
                    "{\"src\":\"user:%d\",\"dst\":\"user:%d\"}",
                    Map.of("event-format", "json"),
                    file,
                    out);
            bench.row(
                    "json, mapped",
                    "{\"id\":7,\"payer\":%d,\"payee\":%d,\"amount\":12.5,\"currency\":\"EUR\"}",
                    "{\"id\":7,\"payer\":\"user:%d\",\"payee\":\"user:%d\",\"amount\":12.5,\"currency\":\"EUR\"}",
                    Map.of("event-format", "json", "source", "payer", "target", "payee"),
                    file,
                    out);
        }
    }

    private void row(
            String name, String integers, String texts, Map<String, String> options, Path file, PrintStream out)
            throws Exception {
        String topic = name.replaceAll("[^a-z]", "");
        EdgeInput ofIntegers = input(topic + "-integers", integers, file, options);
        Map<String, String> withTexts = new HashMap<>(options);
        withTexts.put(RecordFormatOptions.IDS, "text");
        EdgeInput ofTexts = input(topic + "-texts", texts, file, withTexts);
        double[] ratios = new double[runs];
        double[][] columns = new double[4][runs];
        for (int run = -WARM_UPS; run < runs; run++) {
            MeasuredJob plain = measure(ofIntegers);
            MeasuredJob texted = measure(ofTexts);
            if (plain.quality().edges() != texted.quality().edges()
                    || plain.quality().vertices() != texted.quality().vertices()) {
                throw new IllegalStateException("the runs placed different graphs");
            }
            if (run >= 0) {
                double edges = plain.quality().edges() / MICROS;
                columns[0][run] = jobSeconds(plain) / edges;
                columns[1][run] = jobSeconds(texted) / edges;
                columns[2][run] = plain.processSeconds() / edges;
                columns[3][run] = texted.processSeconds() / edges;
                ratios[run] = columns[1][run] / columns[0][run];
            }
        }
        out.printf(
                "| `%s` | %.2f | %.2f | %.2f (%.2f to %.2f) | %.2f | %.2f | %.2f |%n",
                name,
                least(columns[0]),
                least(columns[1]),
                least(columns[1]) / least(columns[0]),
                least(ratios),
                Arrays.stream(ratios).max().orElseThrow(),
                least(columns[2]),
                least(columns[3]),
                least(columns[3]) / least(columns[2]));
    }

    private static double jobSeconds(MeasuredJob job) {
        double seconds = job.processSeconds();
        for (Map.Entry<String, Double> work : job.cpuSeconds().entrySet()) {
            seconds -= work.getKey().startsWith(BROKER) ? work.getValue() : 0;
        }
        return seconds;
    }

    private static double least(double[] values) {
        return Arrays.stream(values).min().orElseThrow();
    }

    private MeasuredJob measure(EdgeInput input) throws Exception {
        return MeasuredJob.run(new MeasuredJob.Work(
                input,
                partitioner,
                CACHE_BYTES,
                MeasuredJob.Work.ROCKSDB_BYTES,
                Duration.ofSeconds(5),
                KafkaBench.output(broker.bootstrapServers(), outputs++)));
    }

    /** Writes one record per edge. */
    private EdgeInput input(String topic, String record, Path file, Map<String, String> options) throws IOException {
        List<String> around = new ArrayList<>(List.of(record.split("%[ds]", -1)));
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(new TopicSpec(topic, 1, TopicSpec.Cleanup.NEVER));
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                            Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 20),
                            new ByteArraySerializer(),
                            new ByteArraySerializer());
                    EdgeFileSupplier edges =
                            new EdgeFileSupplier(new InputRequest.Files(List.of(file), EdgeFileFormat.TEXT), null)) {
                for (EdgeBatch batch = new EdgeBatch(); edges.next(batch); batch.clear()) {
                    for (int i = 0; i < batch.size(); i++) {
                        String value =
                                around.get(0) + batch.source(i) + around.get(1) + batch.target(i) + around.get(2);
                        producer.send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.US_ASCII)));
                    }
                }
            }
            return new EdgeInput.Topic(
                    broker.bootstrapServers(),
                    topic,
                    RecordFormatOptions.parse(options),
                    admin.offsets().beginnings(topic),
                    admin.offsets().ends(topic),
                    Map.of());
        }
    }
}
