package io.cutwater.trainer.live;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Writes a randomly changing graph to topics in transactions, as a live job does, and knows the expected shards. */
final class SimulatedLiveJob implements AutoCloseable {
    static final int COLUMNS = 5;
    static final int CLASSES = 3;
    private static final int TOPIC_PARTITIONS = 2;
    private static final int VERTICES = 25;
    private final SplittableRandom random;
    private final PartitioningKind kind;
    private final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final PartitionBookCodec book = new PartitionBookCodec();
    private int k;
    private SimulatedGraph graph;

    SimulatedLiveJob(String bootstrapServers, String prefix, PartitioningKind kind, int k, long seed) {
        random = new SplittableRandom(seed);
        this.kind = kind;
        this.k = k;
        graph = new SimulatedGraph(kind);
        topics = new Topics(prefix);
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    topics.spec(topics.shards(), TOPIC_PARTITIONS),
                    topics.spec(topics.partitionBook(), TOPIC_PARTITIONS),
                    topics.spec(topics.quality(), 1));
        }
        producer = new KafkaProducer<>(ClientSettings.producer(
                bootstrapServers, Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + "scene")));
        producer.initTransactions();
    }

    Topics topics() {
        return topics;
    }

    int shards() {
        return k;
    }

    void setShards(int shards) {
        k = shards;
    }

    /** Changes some edges, owners and rows in one transaction. */
    void change(int changes, boolean commits) {
        SimulatedGraph before = graph.copy();
        producer.beginTransaction();
        for (int change = 0; change < changes; change++) {
            change();
        }
        if (commits) {
            writeBook(before);
            report();
            producer.commitTransaction();
        } else {
            producer.flush();
            producer.abortTransaction();
            graph = before;
        }
    }

    private void change() {
        int choice = random.nextInt(20);
        long vertex = random.nextInt(VERTICES) - 4;
        if (choice < 9 || graph.edges.isEmpty()) {
            long target = random.nextInt(VERTICES);
            int place = kind == PartitioningKind.EDGE ? random.nextInt(k) : Place.of(owner(vertex), owner(target));
            enter(ShardChange.ADD, new SimulatedGraph.Edge(vertex, target, place));
        } else if (choice < 12) {
            leave(ShardChange.REMOVE, graph.edges.get(random.nextInt(graph.edges.size())));
        } else if (choice < 13) {
            move(vertex);
        } else if (choice < 18) {
            setRow(random.nextInt(k), vertex, row());
        } else {
            setRow(random.nextInt(k), vertex, null);
        }
    }

    private int owner(long vertex) {
        return graph.owners.computeIfAbsent(vertex, v -> random.nextInt(k));
    }

    /** Moves the edges of a vertex; in a vertex partitioning together with the vertex. */
    private void move(long vertex) {
        graph.owners.put(vertex, random.nextInt(k));
        for (SimulatedGraph.Edge edge : List.copyOf(graph.edges)) {
            if (edge.source() == vertex || edge.target() == vertex) {
                int place = kind == PartitioningKind.EDGE
                        ? random.nextInt(k)
                        : Place.of(owner(edge.source()), owner(edge.target()));
                leave(ShardChange.EVICT, edge);
                enter(ShardChange.ADOPT, new SimulatedGraph.Edge(edge.source(), edge.target(), place));
            }
        }
    }

    private void enter(ShardChange change, SimulatedGraph.Edge edge) {
        graph.edges.add(edge);
        write(change, edge);
    }

    private void leave(ShardChange change, SimulatedGraph.Edge edge) {
        graph.edges.remove(edge);
        write(change, edge);
    }

    private void write(ShardChange change, SimulatedGraph.Edge edge) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(edge.source(), edge.target());
        if (kind == PartitioningKind.VERTEX) {
            batch.setPlace(0, edge.place());
        }
        byte[] value = ShardRecordCodec.encode(Kind.of(change, kind == PartitioningKind.VERTEX), 0, batch, 0, 1);
        graph.shardsOf(edge).forEach(shard -> write(shard, value));
    }

    private void write(int shard, byte[] value) {
        send(new ProducerRecord<>(
                topics.shards(),
                ShardRecordCodec.topicPartition(shard, TOPIC_PARTITIONS),
                ShardRecordCodec.key(shard),
                value));
    }

    private void send(ProducerRecord<byte[], byte[]> record) {
        // The commit reports errors of the send.
        Future<RecordMetadata> unused = producer.send(record);
    }

    /** Class, or −1, and features. */
    private float[] row() {
        float[] row = new float[1 + COLUMNS];
        row[0] = random.nextInt(-1, CLASSES);
        for (int column = 0; column < COLUMNS; column++) {
            row[1 + column] = random.nextInt(3) / 2f;
        }
        return row;
    }

    private void setRow(int shard, long vertex, float @Nullable [] row) {
        if (row == null) {
            graph.rows(shard).remove(vertex);
            write(shard, ShardVertexCodec.gone(new long[] {vertex}, 1));
        } else {
            graph.rows(shard).put(vertex, row);
            writeRow(shard, vertex, (int) row[0], Arrays.copyOfRange(row, 1, row.length));
        }
    }

    /** Writes a row that is not part of the expected shards. */
    void writeRow(int shard, long vertex, int label, float... features) {
        byte[] data = VertexRecordCodec.value(features, features.length, label, VertexSplit.TRAIN);
        write(shard, ShardVertexCodec.data(new long[] {vertex}, List.of(data)));
    }

    /** Runs writes in a transaction of their own. */
    void commit(Runnable writes) {
        producer.beginTransaction();
        writes.run();
        report();
        producer.commitTransaction();
    }

    /** Writes a book entry; without replicas it is one of a vertex whose master is not known yet. */
    void writeBookEntry(long vertex, long degree, int... replicas) {
        VertexBatch entry = new VertexBatch();
        entry.add(vertex, degree, replicas.length == 0 ? 0 : replicas[0]);
        Arrays.stream(replicas).forEach(entry::addReplica);
        send(new ProducerRecord<>(topics.partitionBook(), book.key(entry, 0), book.value(entry, 0)));
    }

    private void report() {
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int shard = 0; shard < k; shard++) {
            perPartition.add(new PartitionQuality(shard, 1, 1));
        }
        RunReport report = new RunReport("test", 1, Quality.ofEdges(k, 1, 1, 0, perPartition), 1, 1);
        send(new ProducerRecord<>(topics.quality(), ReportJson.toBytes(report)));
    }

    private void writeBook(SimulatedGraph before) {
        for (long vertex = -4; vertex < VERTICES; vertex++) {
            long degree = graph.degree(vertex);
            int owner = graph.master(vertex);
            if (degree == 0 && before.degree(vertex) > 0) {
                VertexBatch gone = new VertexBatch();
                gone.add(vertex, 0, 0);
                send(new ProducerRecord<>(topics.partitionBook(), book.key(gone, 0), null));
            } else if (degree > 0 && (degree != before.degree(vertex) || owner != before.master(vertex))) {
                VertexBatch entry = new VertexBatch();
                entry.add(vertex, degree, owner);
                entry.addReplica(owner);
                send(new ProducerRecord<>(topics.partitionBook(), book.key(entry, 0), book.value(entry, 0)));
            }
        }
    }

    /** Returns the graph of the committed transactions. */
    SimulatedGraph graph() {
        return graph;
    }

    @Override
    public void close() {
        producer.close();
    }
}
