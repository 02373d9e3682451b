package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.repartition.live.JobCommand;
import org.jspecify.annotations.Nullable;

/**
 * A record of topic {@code commands}, decoded.
 *
 * @param command null if it was rejected
 * @param rejected null unless the record is malformed
 */
public record CommandEvent(
        @Nullable JobCommand command, @Nullable RejectedRecord rejected) {
    public static final StreamType<CommandEvent> TYPE =
            new StreamType<>(CommandEvent.class, CommandEventSerializer.INSTANCE);
}
