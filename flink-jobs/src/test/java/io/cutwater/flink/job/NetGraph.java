package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.operator.local.NetShards;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The graph that events on a topic make, one after the other. */
final class NetGraph {
    private static final int EVENTS = 6_000;

    final Map<String, Integer> graph = new TreeMap<>();
    long unknown;
    private final String servers;
    private final Topics topics;
    private final SplittableRandom random;
    private final boolean hasRemovals;
    private final boolean removesVertices;

    /**
     * @param hasRemovals whether edges are removed, too
     * @param removesVertices whether vertices are
     */
    NetGraph(String servers, Topics topics, long seed, boolean hasRemovals, boolean removesVertices) {
        this.servers = servers;
        this.topics = topics;
        this.hasRemovals = hasRemovals;
        this.removesVertices = removesVertices;
        random = new SplittableRandom(seed);
    }

    void write() {
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(ClientSettings.producer(servers, Map.of()))) {
            for (int i = 0; i < EVENTS; i++) {
                int community = 40 * random.nextInt(20);
                long source = community + random.nextInt(40);
                long target = community + random.nextInt(45);
                boolean isRemoval = random.nextInt(9) < 4 && hasRemovals;
                String event;
                if (random.nextInt(40) == 0 && removesVertices) {
                    event = "{\"op\":\"remove\",\"vertex\":%d}".formatted(source);
                    String before = source + " ";
                    String after = " " + source;
                    unknown += graph.keySet().removeIf(edge -> edge.startsWith(before) || edge.endsWith(after)) ? 0 : 1;
                } else {
                    event = "{\"op\":\"%s\",\"src\":%d,\"dst\":%d}"
                            .formatted(isRemoval ? "remove" : "add", source, target);
                    count(source + " " + target, isRemoval);
                }
                producer.send(
                        new ProducerRecord<>(topics.edges(), event.getBytes(StandardCharsets.UTF_8)),
                        (sent, exception) -> failure.compareAndSet(null, exception));
            }
        }
        assertThat(failure.get()).isNull();
    }

    /** Returns the number of edges, copies included. */
    long edges() {
        return graph.values().stream().mapToLong(copies -> copies).sum();
    }

    private void count(String edge, boolean isRemoval) {
        if (isRemoval) {
            unknown += graph.containsKey(edge) ? 0 : 1;
            graph.computeIfPresent(edge, (e, copies) -> copies == 1 ? null : copies - 1);
        } else {
            graph.merge(edge, 1, Integer::sum);
        }
    }

    /**
     * Asserts that the partition book and the last report are those of topic shards, which is read for each: refinement
     * may move edges in the meantime.
     */
    void assertBookAndReport(int partitions, PartitioningKind kind) {
        assertThat(book(servers, topics))
                .as("book")
                .isEqualTo(shards(servers, topics, partitions).replicas());
        RunReport report = new QualityReader(servers, Map.of()).last(topics);
        assertThat(report).isNotNull();
        assertThat(report.quality())
                .as("report")
                .isEqualTo(shards(servers, topics, partitions).quality(kind.hasOwners()));
        assertThat(report.unknownRemovals()).isEqualTo(unknown);
    }

    /** Returns what the records of topic shards make. */
    static NetShards shards(String servers, Topics topics, int partitions) {
        NetShards shards = new NetShards(partitions);
        new TopicReader(servers, Map.of()).readAll(topics.shards(), record -> {
            EdgeBatch edges = new EdgeBatch();
            ShardRecordCodec.Header header = ShardRecordCodec.decode(record.value(), edges);
            shards.apply(new ShardBatch(
                    ShardRecordCodec.shard(record.key()), header.kind().change(), header.generation(), edges));
        });
        return shards;
    }

    /** The replicas of each vertex, as a reader has them that knows the last record of each key only. */
    static Map<Long, List<Integer>> book(String servers, Topics topics) {
        Map<Long, List<Integer>> book = new TreeMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        new TopicReader(servers, Map.of()).readAll(topics.partitionBook(), record -> {
            if (record.value() == null) {
                book.remove(ByteBuffer.wrap(record.key()).getLong());
            } else {
                PartitionBookEntry entry = codec.decode(record.key(), record.value());
                book.put(entry.vertex(), Arrays.stream(entry.replicas()).boxed().toList());
            }
        });
        return book;
    }
}
