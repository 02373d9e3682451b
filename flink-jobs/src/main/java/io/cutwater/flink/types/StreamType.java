package io.cutwater.flink.types;

import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.live.RepartitionStatus;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Type information of a stream whose elements have a serializer of this package. Flink never falls back to Kryo for
 * them.
 */
public final class StreamType<T> extends TypeInformation<T> {
    public static final StreamType<EdgeBatch> EDGE_BATCH =
            new StreamType<>(EdgeBatch.class, EdgeBatchSerializer.INSTANCE);
    public static final StreamType<ShardBatch> SHARD_BATCH =
            new StreamType<>(ShardBatch.class, ShardBatchSerializer.INSTANCE);
    public static final StreamType<VertexBatch> VERTEX_BATCH =
            new StreamType<>(VertexBatch.class, VertexBatchSerializer.INSTANCE);
    public static final StreamType<RejectedRecord> REJECTED_RECORD =
            new StreamType<>(RejectedRecord.class, RejectedRecordSerializer.INSTANCE);
    public static final StreamType<JobQuality> JOB_QUALITY =
            new StreamType<>(JobQuality.class, JobQualitySerializer.INSTANCE);
    public static final StreamType<FolderRecord> FOLDER_RECORD =
            new StreamType<>(FolderRecord.class, FolderRecordSerializer.INSTANCE);
    public static final StreamType<NumberedBatch> NUMBERED_BATCH =
            new StreamType<>(NumberedBatch.class, NumberedBatchSerializer.INSTANCE);
    public static final StreamType<Lookup> LOOKUP = new StreamType<>(Lookup.class, LookupSerializer.INSTANCE);
    public static final StreamType<Views> VIEWS = new StreamType<>(Views.class, ViewsSerializer.INSTANCE);
    public static final StreamType<VertexUpdate> VERTEX_UPDATE =
            new StreamType<>(VertexUpdate.class, VertexUpdateSerializer.INSTANCE);
    public static final StreamType<PartQuality> PART_QUALITY =
            new StreamType<>(PartQuality.class, PartQualitySerializer.INSTANCE);

    public static final StreamType<OutputRow> OUTPUT_ROW =
            new StreamType<>(OutputRow.class, OutputRowSerializer.INSTANCE);
    public static final StreamType<ShardVertices> SHARD_VERTICES =
            new StreamType<>(ShardVertices.class, ShardVerticesSerializer.INSTANCE);
    public static final StreamType<VertexEvent> VERTEX_EVENT =
            new StreamType<>(VertexEvent.class, VertexEventSerializer.INSTANCE);
    public static final StreamType<VertexReplicas> VERTEX_REPLICAS =
            new StreamType<>(VertexReplicas.class, VertexReplicasSerializer.INSTANCE);

    public static final StreamType<CommandEvent> COMMAND_EVENT =
            new StreamType<>(CommandEvent.class, CommandEventSerializer.INSTANCE);
    public static final StreamType<AssignerMessage> ASSIGNER_MESSAGE =
            new StreamType<>(AssignerMessage.class, AssignerMessageSerializer.INSTANCE);
    public static final StreamType<RepartitionStatus> REPARTITION_STATUS =
            new StreamType<>(RepartitionStatus.class, RepartitionStatusSerializer.INSTANCE);

    private final Class<T> type;
    private final TypeSerializer<T> serializer;

    private StreamType(Class<T> type, TypeSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof StreamType;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StreamType<?> that && that.type.equals(type);
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
