package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.operator.local.NetShards;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.BrokerExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** At every commit of a live job, the partition book has the degrees that the shards have. */
final class BookDegreesIT {
    private static final int K = 4;
    private static final int BURSTS = 4;
    private static final int EVENTS = 400;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    private final TopicReader reader = new TopicReader(broker.bootstrapServers(), Map.of());

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "vertex, 5, --kind vertex --keep-edges true --algorithm cutwater --wait-limit 200ms",
        "spread, 0, --kind edge --algorithm hdrf --parallelism 2 --assigners 2"
    })
    void hasTheDegreesOfTheShardsAtEveryCommit(String name, int removalsOfTen, String arguments) throws Exception {
        Topics topics = new Topics(name + "-");
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--bootstrap-servers", broker.bootstrapServers(), "--topic-prefix", topics.prefix()));
        all.addAll(List.of("--partitions", "" + K, "--event-format", "json", "--checkpoint-interval", "500ms"));
        LiveJobOptions options = LiveJobOptions.parse(all.toArray(String[]::new));
        Map<String, Integer> graph = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(24);
        Set<Object> cuts = new HashSet<>();
        try (EmbeddedRun run = SharedCluster.startLive(options, folder, 0);
                TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (int burst = 0; burst < BURSTS; burst++) {
                write(producer, topics, random, burst < 2 ? 0 : removalsOfTen, graph);
                int known = cuts.size();
                await().atMost(PATIENCE).until(() -> {
                    cuts.add(cut(admin, topics));
                    return cuts.size() > known;
                });
                assertSameDegrees(admin, topics);
            }
            await().atMost(PATIENCE)
                    .until(() -> assertSameDegrees(admin, topics).graph().equals(graph));
            assertThat(run.await(Duration.ZERO)).isFalse();
        }
        assertThat(cuts).hasSizeGreaterThanOrEqualTo(BURSTS);
    }

    @Tag("campaign")
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "edge, 5, --kind edge --keep-edges true --algorithm cutwater --wait-limit 200ms",
        "back, 0, --kind vertex --algorithm cutwater --parallelism 2 --wait-limit 200ms"
    })
    void hasThemInOtherJobsToo(String name, int removalsOfTen, String arguments) throws Exception {
        hasTheDegreesOfTheShardsAtEveryCommit(name, removalsOfTen, arguments);
    }

    private static List<Map<Integer, Long>> cut(TopicAdmin admin, Topics topics) {
        return admin.offsets().consistentEnds(List.of(topics.shards(), topics.partitionBook()));
    }

    private NetShards assertSameDegrees(TopicAdmin admin, Topics topics) {
        List<Map<Integer, Long>> ends = cut(admin, topics);
        NetShards shards = new NetShards(K);
        reader.read(topics.shards(), admin.offsets().beginnings(topics.shards()), ends.get(0), record -> {
            EdgeBatch edges = new EdgeBatch();
            ShardRecordCodec.Header header = ShardRecordCodec.decode(record.value(), edges);
            shards.apply(new ShardBatch(
                    ShardRecordCodec.shard(record.key()), header.kind().change(), header.generation(), edges));
        });
        Map<Long, Long> degrees = new TreeMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        reader.read(topics.partitionBook(), admin.offsets().beginnings(topics.partitionBook()), ends.get(1), record -> {
            if (record.value() == null) {
                degrees.remove(PartitionBookCodec.vertex(record.key()));
            } else {
                degrees.put(
                        PartitionBookCodec.vertex(record.key()),
                        codec.decode(record.key(), record.value()).degree());
            }
        });
        degrees.values().removeIf(degree -> degree == 0); // one that has its owner, and whose edges wait
        assertThat(degrees).isEqualTo(shards.degrees());
        return shards;
    }

    /** Few vertices and many edges, so that most of them change a degree and no replica. */
    private static void write(
            KafkaProducer<byte[], byte[]> producer,
            Topics topics,
            SplittableRandom random,
            int removalsOfTen,
            Map<String, Integer> graph) {
        for (int i = 0; i < EVENTS; i++) {
            long source = random.nextInt(60);
            long target = random.nextInt(80);
            boolean isRemoval = random.nextInt(10) < removalsOfTen;
            String edge = source + " " + target;
            if (isRemoval) {
                graph.computeIfPresent(edge, (e, copies) -> copies == 1 ? null : copies - 1);
            } else {
                graph.merge(edge, 1, Integer::sum);
            }
            String event =
                    "{\"op\":\"%s\",\"src\":%d,\"dst\":%d}".formatted(isRemoval ? "remove" : "add", source, target);
            producer.send(new ProducerRecord<>(topics.edges(), event.getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
    }
}
