package io.cutwater.deploy.local;

import io.cutwater.flink.connector.TopicOutputOptions;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.PartitionRequest;
import io.cutwater.kafka.client.EdgeIngest;
import io.cutwater.kafka.client.IngestOptions;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.folder.Recount;
import io.cutwater.kafka.folder.Recount.Fingerprint;
import io.cutwater.kafka.record.EdgeEventFormat;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.shard.ShardReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.quality.Quality;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Everything in one process: a graph grows on a topic of an embedded broker, and an embedded job partitions it as it
 * grows, onto other topics. Nothing of it is left at the end.
 */
public final class Demo {
    private static final Topics TOPICS = new Topics("demo-");
    private static final int COMMUNITIES = 500;
    private static final int EDGES_PER_RECORD = 1024;
    private static final long CACHE_BYTES = 256L << 20;
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(5);

    private final PartitionerOptions partitioner;
    private final long records;
    private final long edgesPerSecond;
    private final Progress.Display display;

    /**
     * @param edges how many the graph has at the end, up to the next full record
     * @param edgesPerSecond how fast it grows
     */
    public Demo(PartitionerOptions partitioner, long edges, long edgesPerSecond, Progress.Display display) {
        if (edges < 1) {
            throw new IllegalArgumentException("edges must be at least 1: " + edges);
        }
        this.partitioner = partitioner;
        records = (edges + EDGES_PER_RECORD - 1) / EDGES_PER_RECORD;
        this.edgesPerSecond = edgesPerSecond;
        this.display = display;
    }

    /** Runs to the end, and returns the job's last report. */
    public RunReport run() throws IOException, JobFailedException, InterruptedException {
        try (RunResources resources = new RunResources()) {
            Path folder = resources.add(TemporaryFolder.create()).path();
            display.say("starting Kafka in this process, in " + folder);
            EmbeddedBroker broker = resources.add(EmbeddedBroker.start(folder.resolve("kafka")));
            makeTopics(broker.bootstrapServers());
            display.say("starting Flink, and a graph of %d communities that grows to %,d edges"
                    .formatted(COMMUNITIES, records * EDGES_PER_RECORD));
            Growth growth = resources.add(new Growth(broker.bootstrapServers()));
            FollowedJob job = new FollowedJob(job(broker.bootstrapServers()), records, folder, CHECKPOINT_INTERVAL);
            RunReport report = job.run(resources, display);
            check(broker.bootstrapServers(), growth.await(), report.quality());
            return report;
        }
    }

    private static void makeTopics(String bootstrapServers) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(TOPICS.spec(TOPICS.edges(), 1), TOPICS.spec(TOPICS.deadLetters(), 1));
        }
    }

    /** The topic's end is known before it is reached, so the job reads along as the graph grows, and ends with it. */
    private PartitionRequest job(String bootstrapServers) {
        InputRequest.Topic edges =
                new InputRequest.Topic(bootstrapServers, TOPICS, TOPICS.edges(), EdgeEventFormat.BATCH);
        JobInput input = JobInput.ofTopic(edges, Map.of(0, 0L), Map.of(0, records));
        TopicOutputOptions topics = BoundedOutput.prepare(bootstrapServers, TOPICS, partitioner.partitionCount());
        return new PartitionRequest(input.edges(), partitioner, CACHE_BYTES, null, null, topics, null);
    }

    /** Reads the shards back as any consumer would, and counts them again. */
    private void check(String bootstrapServers, Fingerprint grown, Quality told) throws IOException {
        Recount recount = new Recount(partitioner.partitionCount());
        new ShardReader(bootstrapServers, Map.of(), TOPICS.shards())
                .readAll(shard -> shard.edges().forEach(edges -> recount.add(shard.shard(), edges)));
        if (!recount.fingerprint().equals(grown)) {
            throw new IOException("topic %s has %d edges, and they are not the %d of the graph"
                    .formatted(TOPICS.shards(), recount.fingerprint().edges(), grown.edges()));
        }
        if (!recount.report(told.deadLetters()).equals(told)) {
            throw new IOException(
                    "the job reports another quality than the edges on topic %s have".formatted(TOPICS.shards()));
        }
        display.say("read back from topic %s: each of the %,d edges once, and the quality as reported"
                .formatted(TOPICS.shards(), grown.edges()));
    }

    /** The graph as it grows, on a thread of its own. */
    private final class Growth implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<Fingerprint> growing;
        private volatile boolean isStopped;

        Growth(String bootstrapServers) {
            growing = thread.submit(() -> grow(bootstrapServers));
        }

        private Fingerprint grow(String bootstrapServers) throws IOException {
            SyntheticGraph graph = SyntheticGraph.growingCommunities(COMMUNITIES, partitioner.seed());
            IngestOptions options = new IngestOptions(
                    bootstrapServers,
                    TOPICS.edges(),
                    TOPICS.deadLetters(),
                    EdgeEventFormat.BATCH,
                    EDGES_PER_RECORD,
                    edgesPerSecond,
                    Map.of());
            long[] remaining = {records};
            Fingerprint[] grown = {Fingerprint.NONE};
            new EdgeIngest(options, sent -> {}).run(batch -> {
                if (isStopped || remaining[0]-- == 0) {
                    return false;
                }
                graph.fill(batch, EDGES_PER_RECORD);
                grown[0] = grown[0].plus(batch);
                return true;
            });
            return grown[0];
        }

        /** Waits for the end, and returns the fingerprint of all edges. */
        Fingerprint await() throws IOException, InterruptedException {
            try {
                return growing.get();
            } catch (ExecutionException e) {
                throw new IOException(
                        "the graph could not be written to topic %s: %s"
                                .formatted(
                                        TOPICS.edges(),
                                        e.getCause() == null ? e : e.getCause().getMessage()),
                        e);
            }
        }

        @Override
        public void close() {
            isStopped = true;
            thread.shutdown();
            try {
                thread.awaitTermination(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
