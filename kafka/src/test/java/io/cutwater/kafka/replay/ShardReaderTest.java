package io.cutwater.kafka.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.RandomShards.ShardChangeRecord;
import io.cutwater.kafka.replay.ShardReader.Found;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ShardReaderTest {
    private static final int K = 3;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    /** The shards after a commit, and a time before the next one begins. */
    private record Moment(Map<Integer, Long> ends, Instant time, List<Map<String, Integer>> shards) {}

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"EDGE, 1", "VERTEX, 2"})
    void anyOffsetAndAnyTimeGiveTheShardOfTheLastCommitBefore(PartitioningKind kind, long seed) throws Exception {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "past-" + kind + "-")) {
            RandomShards graph = new RandomShards(seed, kind, K);
            List<Moment> moments = new ArrayList<>();
            moments.add(moment(scene, graph));
            for (int commit = 0; commit < 4; commit++) {
                for (int step = 0; step < 250; step++) {
                    graph.step(commit < 3);
                }
                List<ShardChangeRecord> records = graph.drain();
                if (commit % 2 == 1) {
                    scene.write(records.subList(0, records.size() / 3), false);
                }
                scene.write(records, true);
                moments.add(moment(scene, graph));
            }
            graph.step(true);
            scene.begin(graph.drain());
            ShardReader reader = reader(scene);
            for (int i = 0; i < moments.size(); i++) {
                Moment moment = moments.get(i);
                int shard = i % K;
                assertThat(text(reader.readAt(shard, moment.time())))
                        .isEqualTo(moment.shards().get(shard));
                long from = moment.ends().get(shard % 2);
                long next =
                        moments.get(Math.min(i + 1, moments.size() - 1)).ends().get(shard % 2);
                for (long offset : new long[] {from, Math.max(from, next - 1)}) {
                    Found found = reader.readAt(shard, offset);
                    assertThat(text(found))
                            .as("offset " + offset)
                            .isEqualTo(moment.shards().get(shard));
                    assertThat(found.offset()).isLessThanOrEqualTo(offset);
                }
            }
            Moment last = moments.get(moments.size() - 1);
            List<Integer> read = new ArrayList<>();
            reader.readAll(shard -> {
                read.add(shard.shard());
                assertThat(RandomShards.text(shard.edges()))
                        .isEqualTo(last.shards().get(shard.shard()));
            });
            assertThat(read).containsExactlyInAnyOrder(0, 1, 2);
            assertThat(text(reader.read(1))).isEqualTo(last.shards().get(1));
            scene.end(true);
        }
    }

    /** The commit's marks are in the topic when the ends are known; the next record is at least a millisecond later. */
    private static Moment moment(ShardScene scene, RandomShards graph) {
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            ends = admin.offsets().ends(scene.topic());
        }
        Instant time = Instant.ofEpochMilli(Instant.now().toEpochMilli() + 1);
        while (!Instant.now().isAfter(time)) {
            Thread.onSpinWait();
        }
        List<Map<String, Integer>> shards = new ArrayList<>();
        for (int shard = 0; shard < K; shard++) {
            shards.add(graph.shard(shard));
        }
        return new Moment(ends, time, shards);
    }

    @Test
    void ofAVertexTheLastDataCount() {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "data-")) {
            scene.writeData(0, vertex(1, 1), vertex(2, 2), vertex(3, 3));
            scene.writeData(0, vertex(2, 7));
            scene.writeGone(0, 1, 9);
            scene.writeData(2, vertex(1, 4));
            ShardReplay shard = reader(scene).read(0).shard();
            assertThat(shard.data(1)).isEmpty();
            assertThat(shard.data(2)).contains(vertex(2, 7));
            assertThat(shard.data(3)).contains(vertex(3, 3));
            assertThat(shard.vertices().size()).isZero();
            assertThat(reader(scene).read(2).shard().data(1)).contains(vertex(1, 4));
        }
    }

    static VertexRecord vertex(long vertex, int label) {
        return new VertexRecord(vertex, new float[] {label, 0}, label, VertexSplit.VAL);
    }

    @Test
    void saysWhatIsWrongWithAQuestion() throws Exception {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "asked-")) {
            RandomShards graph = new RandomShards(5, PartitioningKind.EDGE, 1);
            graph.step(true);
            graph.step(true);
            scene.write(graph.drain(), true);
            ShardReader reader = reader(scene);
            long end = reader.read(0).offset();
            assertThatThrownBy(() -> reader.readAt(0, end + 1))
                    .isInstanceOf(BrokerException.class)
                    .hasMessage(
                            "topic partition 0 of topic asked-shards, which has shard 0, ends at offset %d: give one"
                                    + " up to that, not %d",
                            end, end + 1);
            assertThat(reader.read(17).shard().edges().isEmpty()).isTrue();
            assertThat(reader.read(17).shard().kind()).isEmpty();
            assertThat(reader.readAt(0, Instant.EPOCH).offset()).isZero();
            assertThatThrownBy(() -> new ShardReader(broker.bootstrapServers(), Map.of(), "nowhere").read(0))
                    .isInstanceOf(TopicMissingException.class);

            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                admin.deleteRecords(Map.of(new TopicPartition(scene.topic(), 0), RecordsToDelete.beforeOffset(1)))
                        .all()
                        .get();
            }
            assertThatThrownBy(() -> reader.read(0))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageStartingWith("topic asked-shards begins at offset 1 in topic partition 0: its retention"
                            + " has deleted the records before");
        }
    }

    /** Two topic partitions are written to; of five, shard 2 would be looked for where nothing is. */
    @Test
    void partitionsThatAreAddedToTheTopicChangeNothing() throws Exception {
        String prefix = "added-";
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), prefix)) {
            scene.report(K, 2);
            scene.write(of(2, 10), true);
            addPartitions(scene.topic(), 5);
            scene.write(of(2, 20), true);

            assertThat(reader(scene).read(2).topicPartition()).isZero();
            assertThat(reader(scene).read(2).shard().edges().copies()).isEqualTo(2);
            assertThat(new ShardCheck(broker.bootstrapServers(), Map.of(), scene.topic())
                            .readOn()
                            .edges())
                    .isEqualTo(2);

            scene.report(K, 6);
            assertThatThrownBy(() -> reader(scene).read(2))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageStartingWith("topic added-shards has 5 partitions, and its job writes shards to 6");
        }
    }

    @Test
    void aShardInAnotherTopicPartitionThanItsOwnIsRefused() throws Exception {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "moved-")) {
            scene.write(of(2, 10), true);
            addPartitions(scene.topic(), 5);
            assertThatThrownBy(() -> reader(scene).readAll(shard -> {}))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageStartingWith(
                            "topic moved-shards, topic partition 0, offset 0: the record is of shard 2, whose place of 5 topic"
                                    + " partitions is number 2; partitions were added");
        }
    }

    private static List<ShardChangeRecord> of(int shard, long source) {
        EdgeBatch edge = new EdgeBatch(1);
        edge.add(source, 1);
        return List.of(new ShardChangeRecord(shard, new ShardRecordCodec.Header(ShardRecordCodec.Kind.ADD, 0), edge));
    }

    private static void addPartitions(String topic, int count) throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers()))) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(count)))
                    .all()
                    .get();
        }
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            await().until(() -> admin.partitionCount(topic) == count
                    && admin.offsets().ends(topic).size() == count);
        }
    }

    private static ShardReader reader(ShardScene scene) {
        return new ShardReader(broker.bootstrapServers(), Map.of(), scene.topic());
    }

    private static Map<String, Integer> text(Found found) {
        return RandomShards.text(found.shard().edges());
    }
}
