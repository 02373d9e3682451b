package io.cutwater.flink.types;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.graph.GraphTypes;
import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.flink.types.message.AssignerMessage;
import io.cutwater.flink.types.message.CommandEvent;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.quality.PartQuality;
import io.cutwater.flink.types.shard.FolderRecord;
import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.flink.types.shard.VertexReplicas;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

final class StreamSerializersTest {
    @Test
    void readsTheCommandsAndPlansThatItWrote() throws Exception {
        CommandEvent command = new CommandEvent(new JobCommand.Repartition("a", 3, 0.5, 7, true), null);
        assertThat(roundTrip(CommandEvent.TYPE.serializer(), command)).isEqualTo(command);
        RejectedRecord rejected = new RejectedRecord("why", "commands", 0, 3, null, new byte[] {1});
        CommandEvent read = roundTrip(CommandEvent.TYPE.serializer(), new CommandEvent(null, rejected));
        assertThat(read.command()).isNull();
        assertThat(read.rejected()).usingRecursiveComparison().isEqualTo(rejected);
        RepartitionStatus status = RepartitionStatus.collecting("a", 1, 3, 5, 0.5, Map.of("edgeBalance", 1.5));
        assertThat(roundTrip(MessageTypes.REPARTITION_STATUS.serializer(), status))
                .isEqualTo(status);
    }

    @Test
    void edgesKeepIdsAtTheEndsOfTheRange() throws Exception {
        EdgeBatch batch = new EdgeBatch(2).setPass(3).setProgress(1L << 40);
        batch.add(Long.MIN_VALUE, Long.MAX_VALUE);
        batch.add(-1, 0);
        EdgeBatch read = roundTrip(GraphTypes.EDGE_BATCH.serializer(), batch);
        assertThat(read.size()).isEqualTo(2);
        assertThat(read.source(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(read.target(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(read.pass()).isEqualTo(3);
        assertThat(read.progress()).isEqualTo(1L << 40);
        assertThat(read.hasWeights()).isFalse();
        assertThat(read.hasTimestamps()).isFalse();
    }

    @Test
    void edgesKeepWeightsTimestampsAndRejectedRecords() throws Exception {
        EdgeBatch batch = new EdgeBatch(2);
        batch.add(1, 2, 0.5, EdgeBatch.NO_TIMESTAMP);
        batch.add(3, 4, Double.NaN, 77);
        batch.reject(new RejectedRecord("why", "file.txt", -1, 9, new byte[] {1}, new byte[] {2, 3}));
        batch.reject(new RejectedRecord("why not", "topic", 4, 10, null, new byte[0]));
        EdgeBatch read = roundTrip(GraphTypes.EDGE_BATCH.serializer(), batch);
        assertThat(read.weight(0)).isEqualTo(0.5);
        assertThat(read.weight(1)).isNaN();
        assertThat(read.timestamp(0)).isEqualTo(EdgeBatch.NO_TIMESTAMP);
        assertThat(read.timestamp(1)).isEqualTo(77);
        assertThat(read.rejected()).usingRecursiveComparison().isEqualTo(batch.rejected());
    }

    @Test
    void edgesKeepTheirPlaces() throws Exception {
        EdgeBatch batch = new EdgeBatch(2);
        batch.add(1, 2);
        batch.setPlace(0, Place.of(4095, 7));
        batch.add(3, 4);
        EdgeBatch read = roundTrip(GraphTypes.EDGE_BATCH.serializer(), batch);
        assertThat(Place.ofSource(read.place(0))).isEqualTo(4095);
        assertThat(Place.ofTarget(read.place(0))).isEqualTo(7);
        assertThat(read.place(1)).isEqualTo(EdgeBatch.NO_PLACE);
    }

    @Test
    void aReusedBatchForgetsWhatItHeld() throws Exception {
        EdgeBatch old = new EdgeBatch();
        old.add(1, 2, 3.0, 4);
        old.setPlace(0, 5);
        old.reject(new RejectedRecord("old", "", -1, 0, null, new byte[0]));
        EdgeBatch batch = new EdgeBatch();
        batch.add(5, 6);
        DataOutputSerializer out = new DataOutputSerializer(64);
        GraphTypes.EDGE_BATCH.serializer().serialize(batch, out);
        EdgeBatch read =
                GraphTypes.EDGE_BATCH.serializer().deserialize(old, new DataInputDeserializer(out.getCopyOfBuffer()));
        assertThat(read.size()).isEqualTo(1);
        assertThat(read.hasWeights()).isFalse();
        assertThat(read.hasTimestamps()).isFalse();
        assertThat(read.hasPlaces()).isFalse();
        assertThat(read.rejected()).isEmpty();
    }

    @Test
    void verticesKeepDegreesMastersAndReplicas() throws Exception {
        VertexBatch batch = new VertexBatch(1);
        batch.add(-5, 1L << 45, 4095);
        batch.addReplica(0);
        batch.addReplica(4095);
        batch.add(6, 1, 2);
        batch.addReplica(2);
        batch.markDegreeOnly();
        batch.add(7, 5, -1);
        batch.markDegreeOnly();
        VertexBatch read = roundTrip(GraphTypes.VERTEX_BATCH.serializer(), batch);
        assertThat(read.size()).isEqualTo(3);
        assertThat(read.isDegreeOnly(0)).isFalse();
        assertThat(read.isDegreeOnly(1)).isTrue();
        assertThat(read.isDegreeOnly(2)).isTrue();
        assertThat(read.replicaCount(2)).isZero();
        assertThat(read.vertex(0)).isEqualTo(-5);
        assertThat(read.degree(0)).isEqualTo(1L << 45);
        assertThat(read.master(0)).isEqualTo(4095);
        assertThat(read.replicaCount(0)).isEqualTo(2);
        assertThat(read.replicas()[1]).isEqualTo(4095);
        assertThat(read.replicas()[read.replicasFrom(1)]).isEqualTo(2);
    }

    @Test
    void readsTheQualityAndFolderRecordsThatItWrote() throws Exception {
        Quality report = Quality.ofEdges(
                2, 3, 1L << 33, 1, List.of(new PartitionQuality(0, 3, 1), new PartitionQuality(1, 2, 7)));
        JobQuality quality = new JobQuality(report, 1, 5, 1L << 40);
        assertThat(roundTrip(JobQuality.TYPE.serializer(), quality)).isEqualTo(quality);
        Quality ofVertices = Quality.ofVertices(
                2,
                3,
                1L << 33,
                1,
                List.of(new PartitionQuality(0, 1, 1L << 34, 3, 4), new PartitionQuality(1, 2, 5, 6, 1L << 33)));
        assertThat(roundTrip(JobQuality.TYPE.serializer(), new JobQuality(ofVertices, 0, 7)))
                .isEqualTo(new JobQuality(ofVertices, 0, 7));

        EdgeBatch edges = new EdgeBatch(1);
        edges.add(1, 2);
        FolderRecord read =
                roundTrip(FolderRecord.TYPE.serializer(), new FolderRecord.Edges(new ShardBatch(4000, edges)));
        assertThat(read).isInstanceOfSatisfying(FolderRecord.Edges.class, record -> {
            assertThat(record.batch().shard()).isEqualTo(4000);
            assertThat(record.batch().edges().target(0)).isEqualTo(2);
        });
        ShardBatch leaving = roundTrip(
                ShardBatch.TYPE.serializer(), new ShardBatch(4000, ShardChange.EVICT, Long.MAX_VALUE - 1, edges));
        assertThat(leaving.change()).isEqualTo(ShardChange.EVICT);
        assertThat(leaving.generation()).isEqualTo(Long.MAX_VALUE - 1);
        RejectedRecord rejected = new RejectedRecord("a", "b", 1, 2, null, new byte[] {3});
        assertThat(roundTrip(FolderRecord.TYPE.serializer(), new FolderRecord.Rejected(rejected)))
                .usingRecursiveComparison()
                .isEqualTo(new FolderRecord.Rejected(rejected));
    }

    @Test
    void readsTheMessagesOfTablesAndAssignersThatItWrote() throws Exception {
        EdgeBatch edges = new EdgeBatch(1);
        edges.add(1, 2);
        edges.setSlots(new int[] {3, (1 << 29) - 1});
        long[] evicted = {7, Long.MIN_VALUE};
        NumberedBatch numbered = roundTrip(
                MessageTypes.NUMBERED_BATCH.serializer(), new NumberedBatch(-5, 1L << 40, 3, 128, edges, evicted));
        assertThat(numbered.batch().target(0)).isEqualTo(2);
        assertThat(numbered.batch().slots()).containsExactly(3, (1 << 29) - 1);
        assertThat(numbered.evicted()).containsExactly(evicted);
        assertThat(new NumberedBatch(-5, 1L << 40, 3, 128, numbered.batch(), numbered.evicted()))
                .isEqualTo(numbered);

        Lookup lookup = new Lookup().reset(7, 1, 2, 3);
        lookup.count(5, 3);
        lookup.add(Long.MIN_VALUE, 1 << 30);
        lookup.addRemoval(-4, Long.MAX_VALUE, EdgeBatch.NO_KEY);
        assertThat(roundTrip(MessageTypes.LOOKUP.serializer(), lookup))
                .usingRecursiveComparison()
                .isEqualTo(lookup);

        Views views = new Views().reset(7, 1, 2, Long.MAX_VALUE, 3).setHandover(new byte[] {1, 2});
        views.confirm(7, -1, 1L << 50);
        views.confirm(8, 5, 6);
        for (int i = 0; i < 2; i++) {
            int at = views.addRecord();
            views.records()[at] = i - 7;
            views.records()[at + 2] = Long.MIN_VALUE;
        }
        views.copies().add(-4, 9, 0.5, 7);
        views.copies().setPlace(0, 4095);
        views.setLoads(new long[] {Long.MAX_VALUE, 0});
        Views read = roundTrip(MessageTypes.VIEWS.serializer(), views);
        assertThat(read).usingRecursiveComparison().isEqualTo(views);

        VertexBatch added = new VertexBatch(1);
        added.add(Long.MIN_VALUE, 0, 7); // the loop carries no degrees
        added.addReplica(7);
        VertexUpdate update = new VertexUpdate(-5, 1, 1L << 50, 127, 9, added);
        assertThat(roundTrip(MessageTypes.VERTEX_UPDATE.serializer(), update))
                .usingRecursiveComparison()
                .ignoringFields("added")
                .isEqualTo(update);
        VertexBatch readAdded =
                roundTrip(MessageTypes.VERTEX_UPDATE.serializer(), update).added();
        assertThat(readAdded.vertex(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(readAdded.replicas()[0]).isEqualTo(7);

        Quality known = Quality.ofEdges(1, 2, 3, 4, List.of(new PartitionQuality(0, 2, 3)));
        PartQuality part = new PartQuality(3, true, known, 5, 1L << 40, 6);
        assertThat(roundTrip(PartQuality.TYPE.serializer(), part)).isEqualTo(part);
    }

    @Test
    void readsTheVertexDataThatItWrote() throws Exception {
        VertexReplicas replicas = new VertexReplicas(Long.MIN_VALUE, new int[] {0, 7, 4095});
        assertThat(roundTrip(VertexReplicas.TYPE.serializer(), replicas))
                .usingRecursiveComparison()
                .isEqualTo(replicas);
        RejectedRecord rejected = new RejectedRecord("why", "vertices", 1, 2, null, new byte[] {3});
        for (VertexEvent event : List.of(
                new VertexEvent(-1, new byte[] {1, 2}, null),
                new VertexEvent(Long.MAX_VALUE, null, null),
                new VertexEvent(0, null, rejected))) {
            assertThat(roundTrip(VertexEvent.TYPE.serializer(), event))
                    .usingRecursiveComparison()
                    .isEqualTo(event);
        }

        ShardVertices vertices = new ShardVertices(4095, new byte[] {4, 5});
        assertThat(roundTrip(ShardVertices.TYPE.serializer(), vertices))
                .usingRecursiveComparison()
                .isEqualTo(vertices);
        for (OutputRow row :
                List.of(OutputRow.ofShard(4095, new byte[] {4, 5}), OutputRow.ofBook(new byte[8], new byte[] {1}))) {
            assertThat(roundTrip(OutputRow.TYPE.serializer(), row))
                    .usingRecursiveComparison()
                    .isEqualTo(row);
        }
    }

    @Test
    void everySerializerIsRestoredFromItsSnapshot() throws Exception {
        for (TypeSerializer<?> serializer : List.of(
                GraphTypes.EDGE_BATCH.serializer(),
                ShardBatch.TYPE.serializer(),
                GraphTypes.VERTEX_BATCH.serializer(),
                GraphTypes.REJECTED_RECORD.serializer(),
                JobQuality.TYPE.serializer(),
                FolderRecord.TYPE.serializer(),
                MessageTypes.NUMBERED_BATCH.serializer(),
                MessageTypes.LOOKUP.serializer(),
                MessageTypes.VIEWS.serializer(),
                MessageTypes.VERTEX_UPDATE.serializer(),
                MessageTypes.REPARTITION_STATUS.serializer(),
                AssignerMessage.TYPE.serializer(),
                CommandEvent.TYPE.serializer(),
                PartQuality.TYPE.serializer(),
                OutputRow.TYPE.serializer(),
                ShardVertices.TYPE.serializer(),
                VertexEvent.TYPE.serializer(),
                VertexReplicas.TYPE.serializer())) {
            DataOutputSerializer out = new DataOutputSerializer(64);
            TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
            TypeSerializer<?> restored = TypeSerializerSnapshot.readVersionedSnapshot(
                            new DataInputDeserializer(out.getCopyOfBuffer()),
                            getClass().getClassLoader())
                    .restoreSerializer();
            assertThat(restored).isEqualTo(serializer);
        }
    }

    private static <T> T roundTrip(TypeSerializer<T> serializer, T element) throws Exception {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(serializer.copy(element), out);
        DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
        T read = serializer.deserialize(in);
        assertThat(in.available()).isZero();
        return read;
    }
}
