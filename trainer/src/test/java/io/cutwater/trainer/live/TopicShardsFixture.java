package io.cutwater.trainer.live;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.shard.ShardStoreTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;

/** Topics of their own for a test, what a live job writes to them, and the shards that are read from them. */
final class TopicShardsFixture {
    private static final AtomicInteger NAMES = new AtomicInteger();

    final String prefix = "s" + NAMES.incrementAndGet() + "-";
    final List<MadeShard> made = new ArrayList<>();
    final List<String> told = new ArrayList<>();

    private final String bootstrapServers;
    private final Path temp;

    TopicShardsFixture(String bootstrapServers, Path temp) {
        this.bootstrapServers = bootstrapServers;
        this.temp = temp;
    }

    /** Writes what a live job of these topics would write. */
    SimulatedLiveJob scene(PartitioningKind kind, int k, long seed) {
        return new SimulatedLiveJob(bootstrapServers, prefix, kind, k, seed);
    }

    TopicShards open(String folder) {
        return open(folder, SimulatedLiveJob.CLASSES, null, Duration.ofSeconds(20));
    }

    TopicShards open(String folder, int classes, @Nullable VertexFiles files, Duration patience) {
        return open(folder, classes, files, patience, FeatureScaling.NONE);
    }

    TopicShards open(
            String folder, int classes, @Nullable VertexFiles files, Duration patience, FeatureScaling scaling) {
        return open(folder, ShapeOptions.ofClasses(classes), files, patience, scaling);
    }

    TopicShards open(
            String folder, ShapeOptions shape, @Nullable VertexFiles files, Duration patience, FeatureScaling scaling) {
        TopicShardsOptions options = new TopicShardsOptions(
                bootstrapServers, Map.of(), new Topics(prefix), temp.resolve(folder), scaling, files, shape, patience);
        return new TopicShards(options, new TopicShardsListener() {
            @Override
            public void waiting(String sentence) {
                told.add(sentence);
            }

            @Override
            public void readAgain(String sentence) {
                told.add(sentence);
            }

            @Override
            public void misfits(String sentence) {
                told.add(sentence);
            }

            @Override
            public void made(MadeShard shard) {
                made.add(shard);
            }
        });
    }

    /** Returns an unused folder for a shard. */
    Path next() {
        return temp.resolve("store-" + NAMES.incrementAndGet());
    }

    /** Returns a shard as text, like {@link SimulatedGraph#expected}. */
    static List<String> lines(ShardStore store) {
        List<String> lines = new ArrayList<>();
        for (int local = 0; local < store.vertexCount(); local++) {
            List<Long> neighbours = new ArrayList<>();
            for (long at = store.begin(local); at < store.begin(local + 1); at++) {
                neighbours.add(store.vertex(store.neighbour(at)));
            }
            lines.add(SimulatedGraph.line(
                    store.vertex(local),
                    local < store.ownedCount(),
                    neighbours,
                    store.label(local),
                    store.split(local),
                    ShardStoreTest.row(store, local)));
        }
        return lines.stream().sorted().toList();
    }

    Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }
}
