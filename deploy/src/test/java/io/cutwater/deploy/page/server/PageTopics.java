package io.cutwater.deploy.page.server;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.client.DeadLetterRecords;
import io.cutwater.kafka.command.JobCommandJson;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.textid.VertexTextCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes the topics of a graph as a job does. */
final class PageTopics implements AutoCloseable {
    final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;

    PageTopics(String bootstrapServers, String prefix, boolean creates) {
        topics = new Topics(prefix);
        if (creates) {
            create(bootstrapServers);
        }
        producer = new KafkaProducer<>(ClientSettings.producer(bootstrapServers, Map.of()));
    }

    void create(String bootstrapServers) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            List<TopicSpec> specs = new ArrayList<>(topics.outputs(4));
            specs.addAll(topics.control());
            specs.add(topics.spec(topics.edges(), 1));
            admin.ensure(specs);
        }
    }

    /** Creates the topic that a job with text ids has. */
    void createTexts(String bootstrapServers) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(topics.texts());
        }
    }

    /** Creates the topic of features and labels. */
    void createVertices(String bootstrapServers) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(topics.spec(topics.vertices(), 1));
        }
    }

    /** Sends a short report, and a whole one. */
    void report(RunReport report) {
        send(topics.quality(), bytes(report.algorithm()), ReportJson.toShortBytes(report));
        send(topics.report(), bytes("newest"), ReportJson.toBytes(report));
    }

    /** Returns a report of an edge partitioning whose partitions have these edges, and as many vertices. */
    static RunReport edgeReport(double seconds, long vertices, long... edges) {
        List<PartitionQuality> perPartition = new ArrayList<>();
        long sum = 0;
        for (int p = 0; p < edges.length; p++) {
            perPartition.add(new PartitionQuality(p, edges[p], edges[p]));
            sum += edges[p];
        }
        return new RunReport(
                "cutwater", 1, Quality.ofEdges(edges.length, vertices, sum, 2, perPartition), seconds, 1 << 20);
    }

    void plan(String id, PlanState state, int before, int after, double expected) {
        RepartitionStatus status = new RepartitionStatus(
                id,
                1,
                state,
                before,
                after,
                100,
                50,
                state == PlanState.DONE ? 50 : 20,
                0.6,
                Map.of("replicationFactor", 3.0),
                Map.of("replicationFactor", expected),
                Map.of(),
                "",
                2.5);
        send(topics.plans(), RepartitionStatusJson.key(status), RepartitionStatusJson.toBytes(status));
    }

    /** Sends an entry of the book. */
    void place(long vertex, int owner, long degree, int... replicas) {
        VertexBatch batch = new VertexBatch();
        batch.add(vertex, degree, owner);
        for (int replica : replicas) {
            batch.addReplica(replica);
        }
        PartitionBookCodec codec = new PartitionBookCodec();
        send(topics.partitionBook(), codec.key(batch, 0), codec.value(batch, 0));
    }

    /** Sends the text of a vertex; null for one that was removed. */
    void text(long vertex, @Nullable String text) {
        byte[] value = text == null ? null : VertexTextCodec.value(bytes(text), 0, bytes(text).length);
        send(topics.ids(), VertexTextCodec.key(vertex), value);
    }

    /** Writes that edges, given as pairs of ends, enter or leave a shard. */
    void shard(int shard, ShardChange change, long... ends) {
        EdgeBatch edges = new EdgeBatch();
        for (int i = 0; i < ends.length; i += 2) {
            edges.add(ends[i], ends[i + 1]);
        }
        byte[] value = ShardRecordCodec.encode(ShardRecordCodec.Kind.of(change, false), 0, edges, 0, edges.size());
        producer.send(new ProducerRecord<>(
                topics.shards(), ShardRecordCodec.topicPartition(shard, 4), ShardRecordCodec.key(shard), value));
    }

    /** Returns all commands that were sent to the job. */
    List<JobCommand> commands(String bootstrapServers) {
        List<JobCommand> commands = new ArrayList<>();
        new TopicReader(bootstrapServers, Map.of())
                .readAll(topics.commands(), record -> commands.add(JobCommandJson.read(record.value())));
        return commands;
    }

    void letter(String reason, String value) {
        producer.send(DeadLetterRecords.toRecord(
                topics.deadLetters(), new RejectedRecord(reason, "edges", 0, 7, null, bytes(value))));
    }

    void send(String topic, byte[] key, byte @Nullable [] value) {
        producer.send(new ProducerRecord<>(topic, key, value));
    }

    void flush() {
        producer.flush();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
