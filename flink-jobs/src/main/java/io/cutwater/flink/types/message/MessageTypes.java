package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.NumberedBatch;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.repartition.live.RepartitionStatus;

/** Types of the messages between assigners and vertex tables, and of the status of re-partitionings. */
public final class MessageTypes {
    public static final StreamType<NumberedBatch> NUMBERED_BATCH =
            new StreamType<>(NumberedBatch.class, NumberedBatchSerializer.INSTANCE);
    public static final StreamType<Lookup> LOOKUP = new StreamType<>(Lookup.class, LookupSerializer.INSTANCE);
    public static final StreamType<Views> VIEWS = new StreamType<>(Views.class, ViewsSerializer.INSTANCE);
    public static final StreamType<VertexUpdate> VERTEX_UPDATE =
            new StreamType<>(VertexUpdate.class, VertexUpdateSerializer.INSTANCE);
    public static final StreamType<RepartitionStatus> REPARTITION_STATUS =
            new StreamType<>(RepartitionStatus.class, RepartitionStatusSerializer.INSTANCE);

    private MessageTypes() {}
}
