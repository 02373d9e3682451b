package io.cutwater.flink.types.message;

import io.cutwater.flink.types.StreamType;
import io.cutwater.state.feedback.Views;
import org.jspecify.annotations.Nullable;

/**
 * A message to an assigner: a command, or the answer of a vertex table in another task. Exactly one is set.
 *
 * @param command a record of topic {@code commands}, or null
 * @param views an answer, or null
 */
public record AssignerMessage(
        @Nullable CommandEvent command, @Nullable Views views) {
    public static final StreamType<AssignerMessage> TYPE =
            new StreamType<>(AssignerMessage.class, AssignerMessageSerializer.INSTANCE);

    public static AssignerMessage of(CommandEvent command) {
        return new AssignerMessage(command, null);
    }

    public static AssignerMessage of(Views views) {
        return new AssignerMessage(null, views);
    }

    /** Returns the number of the assigner that the message is for; commands go to the first. */
    public int assigner() {
        return views == null ? 0 : views.assigner();
    }
}
