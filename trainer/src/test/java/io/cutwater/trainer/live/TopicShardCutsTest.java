package io.cutwater.trainer.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.PredictionRun;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.PredictionFormat;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cuts of shard topics that are not there yet, incomplete, replaced or of something else. */
@Timeout(120)
class TopicShardCutsTest {
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

    @Test
    void predictionsFromShardsOfAFailedRunAreRefused() throws Exception {
        ModelOptions options = new ModelOptions("gcn", 2, 4, 1, Aggregator.MEAN, 0);
        float[][] weights =
                new GnnNetwork(options, SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES).initialWeights(1);
        TrainedModel model = new TrainedModel(
                options, SimulatedLiveJob.COLUMNS, SimulatedLiveJob.CLASSES, FeatureScaling.NONE, true, weights);
        ModelFile.write(model, temp);
        GraphOrigin graph = new GraphOrigin.Topic(
                broker.bootstrapServers(),
                Map.of(),
                new Topics(live.prefix),
                temp.resolve("kept"),
                null,
                TopicShardsListener.NONE);
        PredictionRun run = new PredictionRun(temp, graph, false, true, "cpu", temp);
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 5)) {
            BoundedRunMark mark = new BoundedRunMark(broker.bootstrapServers(), Map.of(), new Topics(live.prefix));
            mark.begin();
            scene.change(40, true);
            mark.fail("the disk is full");
            assertThatThrownBy(() -> run.run(PredictionFormat.CSV, temp.resolve("out")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("failed: the disk is full")
                    .hasMessageContaining("publish again");
            assertThat(temp.resolve("out")).doesNotExist();

            mark.complete();
            assertThat(run.run(PredictionFormat.CSV, temp.resolve("out"))).isPositive();
        }
    }

    @Test
    void whatHasNotComeIsWaitedFor() throws Exception {
        try (TopicShards hasty = live.open("hasty", 0, null, Duration.ZERO)) {
            assertThatThrownBy(hasty::latest)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic %squality does not exist", live.prefix);
        }
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 2, 6);
                TopicShards shards = live.open("kept")) {
            Thread job = new Thread(() -> scene.change(80, true));
            try (TopicShards hasty = live.open("hasty", 0, null, Duration.ZERO)) {
                assertThatThrownBy(hasty::latest)
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("no job has committed shards to topic " + live.prefix + "shards");
            }
            job.start();
            assertThat(shards.latest().shards()).isEqualTo(2);
            job.join();
            scene.commit(() -> {});
        }
    }

    @Test
    void aCutOfSomethingElseIsRefused() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 6);
                TopicShards shards = live.open("kept")) {
            scene.change(80, true);
            ShardCut cut = shards.latest();
            assertThatThrownBy(
                            () -> shards.make(0, new ShardCut(1, List.of(9999L, 0L), cut.bookOffsets()), live.next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the cut is at offset 9999 of topic partition 0 of topic " + live.prefix);
            assertThatThrownBy(() -> shards.make(0, ShardCut.only(1), live.next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("the cut belongs to shards of a folder");
        }
    }

    /** A job may commit its report after the moves that the report describes. */
    @Test
    void anotherNumberOfShardsIsAnotherCut() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 2, 6);
                TopicShards shards = live.open("kept")) {
            scene.change(20, true);
            ShardCut cut = shards.latest();
            assertThat(shards.latest()).isEqualTo(cut);
            scene.setShards(3);
            scene.commit(() -> {});
            assertThat(shards.latest()).isEqualTo(new ShardCut(3, cut.shardOffsets(), cut.bookOffsets()));
            assertThat(shards.make(2, shards.latest(), live.next()).vertexCount())
                    .isZero();
        }
    }

    @Test
    void aFolderHasOneOwner() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 6);
                TopicShards one = live.open("kept");
                TopicShards two = live.open("kept")) {
            scene.change(80, true);
            ShardCut cut = one.latest();
            one.make(0, cut, live.next());
            assertThatThrownBy(() -> two.make(0, cut, live.next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith(
                            "kept is in use by another training; give each training a --store folder of its own");
            one.close();
            two.make(0, cut, live.next());
        }
    }

    /** Topics of the same names, with offsets of the old topics. */
    @Test
    void topicsThatWereMadeAnewAreReadAnew() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 6)) {
            scene.change(80, true);
            try (TopicShards shards = live.open("kept")) {
                shards.make(0, shards.latest(), live.next());
            }
        }
        try (Admin admin = live.admin()) {
            Topics topics = new Topics(live.prefix);
            admin.deleteTopics(List.of(topics.shards(), topics.partitionBook(), topics.quality()))
                    .all()
                    .get();
        }
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 8);
                TopicShards shards = live.open("kept")) {
            scene.change(120, true);
            assertThat(TopicShardsFixture.lines(shards.make(0, shards.latest(), live.next())))
                    .isEqualTo(scene.graph().expected(0));
            assertThat(live.told).hasSize(2);
        }
    }

    @Test
    void whatRetentionHasDeletedMustHaveBeenRead() throws Exception {
        try (SimulatedLiveJob scene = live.scene(PartitioningKind.EDGE, 1, 6);
                TopicShards shards = live.open("kept");
                TopicShards late = live.open("late");
                Admin admin = live.admin()) {
            scene.change(80, true);
            ShardCut first = shards.latest();
            shards.make(0, first, live.next());
            TopicPartition deleted = new TopicPartition(scene.topics().shards(), 0);
            admin.deleteRecords(Map.of(
                            deleted,
                            RecordsToDelete.beforeOffset(first.shardOffsets().get(0))))
                    .all()
                    .get();
            scene.change(40, true);
            ShardCut cut = shards.latest();
            assertThat(TopicShardsFixture.lines(shards.make(0, cut, live.next())))
                    .isEqualTo(scene.graph().expected(0));
            assertThatThrownBy(() -> late.make(0, cut, live.next()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("retention has deleted the records in between");
        }
    }
}
