package io.cutwater.trainer.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.replay.ShardReplay;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shards that are built from topics are those that were committed. */
@Timeout(120)
class TopicShardsTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    Path temp;

    private TopicShardsFixture live;

    @BeforeEach
    void nameTopics() {
        live = new TopicShardsFixture(broker.bootstrapServers(), temp);
    }

    /** Takes cuts after commits and aborted transactions, reopens the store, and increases the number of shards. */
    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void theShardsOfACutAreThoseThatWereCommitted(PartitioningKind kind) throws Exception {
        List<ShardCut> cuts = new ArrayList<>();
        List<List<List<String>>> expected = new ArrayList<>();
        try (SimulatedLiveJob scene = live.scene(kind, 3, 7)) {
            TopicShards shards = live.open("kept");
            for (int round = 0; round < 4; round++) {
                if (round == 2) {
                    scene.setShards(5);
                }
                scene.change(40, true);
                scene.change(15, false);
                scene.change(10, true);
                if (round == 1 || round == 3) {
                    shards.close();
                    shards = live.open("kept");
                }
                ShardCut cut = shards.latest();
                assertThat(cut.shards()).isEqualTo(scene.shards());
                live.made.clear();
                List<List<String>> all = new ArrayList<>();
                for (int shard = 0; shard < cut.shards(); shard++) {
                    ShardStore store = shards.make(shard, cut, live.next());
                    all.add(TopicShardsFixture.lines(store));
                    assertThat(TopicShardsFixture.lines(store))
                            .isEqualTo(scene.graph().expected(shard));
                    assertThat(live.made.get(shard).withoutFeatures())
                            .isEqualTo(scene.graph().withoutFeatures(shard));
                    assertThat(live.made.get(shard).vertices()).isEqualTo(store.vertexCount());
                    if (shard == round % 3) {
                        assertIsReplay(store, cut);
                    }
                    for (int local = 0; local < store.vertexCount(); local++) {
                        assertThat(store.degree(local)).isEqualTo(scene.graph().degree(shard, store.vertex(local)));
                    }
                }
                cuts.add(cut);
                expected.add(all);
            }
            shards.close();
        }
        assertThat(live.told).isEmpty();
        try (TopicShards again = live.open("kept")) {
            for (int round : new int[] {2, 0}) {
                for (int shard = 0; shard < cuts.get(round).shards(); shard++) {
                    ShardStore store = again.make(shard, cuts.get(round), live.next());
                    assertThat(TopicShardsFixture.lines(store))
                            .isEqualTo(expected.get(round).get(shard));
                }
            }
        }
    }

    /** Compares a store with an in-memory replay of the shard. */
    private void assertIsReplay(ShardStore store, ShardCut cut) {
        int topicPartition = store.shard() % cut.shardOffsets().size();
        ShardReplay replay = new ShardReader(broker.bootstrapServers(), Map.of(), new Topics(live.prefix).shards())
                .readAt(store.shard(), cut.shardOffsets().get(topicPartition))
                .shard();
        assertThat(live.made.get(store.shard()).edges())
                .isEqualTo(replay.edges().copies());
        assertThat(store.vertexCount()).isEqualTo(replay.vertices().size());
    }

    @Test
    void theSameCutGivesTheSameBytesAfterAnyHistory() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.VERTEX, 2, 3);
                TopicShards steps = live.open("steps");
                TopicShards atOnce = live.open("at-once", SimulatedLiveJob.CLASSES, null, Duration.ZERO)) {
            for (int round = 0; round < 3; round++) {
                scene.change(60, true);
                steps.make(1, steps.latest(), live.next());
            }
            ShardCut cut = steps.latest();
            Path one = live.next();
            Path other = live.next();
            steps.make(1, cut, one);
            atOnce.make(1, cut, other);
            assertThat(contents(one)).containsKey("neighbours").isEqualTo(contents(other));
        }
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.toList()) {
                contents.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    @Test
    void aVertexWithoutAKnownMasterBelongsToNoShardUntilALaterCut() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 5);
                TopicShards shards = live.open("without-master")) {
            scene.change(40, true);
            ShardStore before = shards.make(0, shards.latest(), live.next());
            assertThat(before.ownedCount()).isEqualTo(before.vertexCount());
            long vertex = before.vertex(3);

            scene.commit(() -> scene.writeBookEntry(vertex, 1_000));
            ShardStore without = shards.make(0, shards.latest(), live.next());
            assertThat(without.ownedCount()).isEqualTo(before.vertexCount() - 1);
            assertThat(without.vertex(without.ownedCount())).isEqualTo(vertex);
            assertThat(without.degree(without.ownedCount())).isBetween(900, 1_000);

            scene.commit(() -> scene.writeBookEntry(vertex, 1_000, 0));
            assertThat(shards.make(0, shards.latest(), live.next()).ownedCount())
                    .isEqualTo(before.vertexCount());
        }
    }

    @Test
    void aDamagedJournalIsReadAgain() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 5);
                TopicShards shards = live.open("kept")) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            shards.make(0, cut, live.next());
            try (Stream<Path> files = Files.list(temp.resolve("kept/book"))) {
                for (Path file : files.toList()) {
                    byte[] bytes = Files.readAllBytes(file);
                    bytes[bytes.length - 1] ^= 1;
                    Files.write(file, bytes);
                }
            }
            scene.change(10, true); // the book is read once for each cut
            assertThat(TopicShardsFixture.lines(shards.make(0, shards.latest(), live.next())))
                    .isEqualTo(scene.graph().expected(0));
            assertThat(live.told).singleElement().asString().endsWith("is damaged: its length or a checksum is wrong");
        }
    }

    /**
     * Compares bytes sent by the broker: 12 shards are in 2 topic partitions, so reading them one by one would take 6
     * times as much.
     */
    @Test
    void shardsThatAreExpectedTogetherAreReadOnce() throws Exception {
        int k = 12;
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, k, 21);
                TopicShards shards = live.open("kept")) {
            scene.change(800, true);
            ShardCut cut = shards.latest();
            shards.shape();
            String topic = scene.topics().shards();
            long sentBefore = bytes("BytesOutPerSec", topic);
            shards.expect(cut, IntStream.range(0, k).boxed().toList());
            for (int shard = 0; shard < k; shard++) {
                assertThat(TopicShardsFixture.lines(shards.make(shard, cut, live.next())))
                        .isEqualTo(scene.graph().expected(shard));
            }
            assertThat(bytes("BytesOutPerSec", topic) - sentBefore)
                    .isPositive()
                    .isLessThan(2 * bytes("BytesInPerSec", topic));
        }
    }

    private static long bytes(String meter, String topic) throws JMException {
        return (long) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                        new ObjectName("kafka.server:type=BrokerTopicMetrics,name=%s,topic=%s".formatted(meter, topic)),
                        "Count");
    }
}
