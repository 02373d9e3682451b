package io.cutwater.flink.job.restore;

import io.cutwater.flink.job.EmbeddedOptions;
import io.cutwater.flink.job.EmbeddedRun;
import io.cutwater.flink.job.LiveRequests;
import io.cutwater.flink.job.SharedCluster;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import io.cutwater.flink.job.topology.PartitionRequest;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A small live job whose state is kept in the test resources. Its input is a function of its name, so that a test can
 * write to a new broker what the job had read when its state was kept.
 */
final class GoldenJob {
    static final int EDGES = 600;

    /** Vertices of edges have numbers from 0 to this. */
    private static final int VERTICES = 200;

    /** A vertex that has data and no edge when the savepoint is taken. */
    static final long DESCRIBED = 777;

    private static final String VERTEX_DATA = "vertex-data";

    private final String bootstrapServers;
    private final String name;
    private final Topics topics;
    private final List<String> edges = new ArrayList<>();
    private final Set<Long> ends = new HashSet<>();

    private GoldenJob(String bootstrapServers, String name) {
        this.bootstrapServers = bootstrapServers;
        this.name = name;
        topics = new Topics(name + "-");
    }

    /** Makes the input of a job and writes it to topics of the broker, which must not have them yet. */
    static GoldenJob onNewTopics(String bootstrapServers, String name) throws Exception {
        GoldenJob job = new GoldenJob(bootstrapServers, name);
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(job.topics.spec(job.topics.edges(), 1), job.topics.spec(job.topics.vertices(), 1));
        }
        SplittableRandom random = new SplittableRandom(23);
        for (int i = 0; i < EDGES; i++) {
            int community = 40 * random.nextInt(VERTICES / 40);
            job.edges.add(job.edge(community + random.nextInt(40), (community + random.nextInt(50)) % VERTICES));
        }
        job.send(job.topics.edges(), job.edges.stream().map(edge -> "{" + edge).toList());
        job.send(
                job.topics.vertices(),
                List.of("{\"id\":%d,\"features\":[0.5,2],\"label\":3,\"split\":\"val\"}".formatted(DESCRIBED)));
        return job;
    }

    private String edge(long source, long target) {
        ends.add(source);
        ends.add(target);
        return "\"src\":%d,\"dst\":%d}".formatted(source, target);
    }

    Topics topics() {
        return topics;
    }

    boolean keepsEdges() {
        return !name.equals("spread") && !name.equals("bootstrap");
    }

    boolean readsVertices() {
        return name.equals(VERTEX_DATA);
    }

    /** The number of vertices that all edges together have which were ever added. */
    long vertices() {
        return ends.size();
    }

    /** Adds edges, each between an old vertex and a new one; the first of these is {@link #DESCRIBED}. */
    void add(int count) throws Exception {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add("{" + edge(i, DESCRIBED + i));
        }
        send(topics.edges(), events);
    }

    /** Takes away some of the first edges. */
    void remove(int count) throws Exception {
        send(
                topics.edges(),
                edges.subList(0, count).stream()
                        .map(edge -> "{\"op\":\"remove\"," + edge)
                        .toList());
    }

    private void send(String topic, List<String> values) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(bootstrapServers, Map.of()))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            byte[] key = Long.toString(DESCRIBED).getBytes(StandardCharsets.UTF_8);
            for (String value : values) {
                sent.add(producer.send(new ProducerRecord<>(topic, key, value.getBytes(StandardCharsets.UTF_8))));
            }
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    private LiveJobOptions options(boolean restores) {
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap-servers",
                bootstrapServers,
                "--topic-prefix",
                topics.prefix(),
                "--partitions",
                "4",
                "--event-format",
                "json",
                "--wait-limit",
                "200ms",
                "--checkpoint-interval",
                "300ms",
                "--keep-edges",
                Boolean.toString(keepsEdges()),
                "--vertex-data",
                Boolean.toString(readsVertices())));
        switch (name) {
            case "vertex" -> arguments.addAll(List.of("--kind", "vertex"));
            case "clusters" -> arguments.addAll(List.of("--algorithm", "sigma-edge"));
            case "spread" -> arguments.addAll(List.of("--algorithm", "hdrf", "--parallelism", "2"));
            case "bootstrap" -> arguments.addAll(List.of("--bootstrap", "0:0-" + EDGES / 2));
            default -> {}
        }
        if (restores) { // the state names the topic that its job has read, except that of v1 and v2
            arguments.addAll(List.of("--accept-new-topic", "true", "--start-offsets", "0:" + EDGES));
        }
        return LiveJobOptions.parse(arguments.toArray(String[]::new));
    }

    /**
     * Starts the job on the shared cluster.
     *
     * @param restoreFrom folder of a savepoint or checkpoint; null to begin anew
     */
    JobClient start(Path work, @Nullable Path restoreFrom) throws Exception {
        LiveJobOptions options = options(restoreFrom != null);
        Configuration configuration =
                EmbeddedRun.configuration(new EmbeddedOptions(work, options.checkpointInterval(), 64 << 20, 0));
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        // All of a state that is kept is in one file, which names no other.
        configuration.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ofMebiBytes(1));
        PartitionRequest request = LiveRequests.of(options, restoreFrom != null);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        PartitionJob.build(env, request);
        return SharedCluster.submit(
                env, restoreFrom == null ? null : restoreFrom.toUri().toString());
    }

    static Duration patience() {
        return Duration.ofMinutes(2);
    }
}
