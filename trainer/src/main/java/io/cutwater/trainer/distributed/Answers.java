package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.ShardSize;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of messages from workers. Those of updates and failures begin with the attempt (4 bytes). */
final class Answers {
    private static final int MAX_SENTENCE_BYTES = 2_000;
    private static final int NO_ATTEMPT = 0;

    private Answers() {}

    /** Weight of a failure whose worker cannot reach the coordinator directly; otherwise it is the kind of request. */
    static final long UNREACHABLE = -1;

    static boolean isAnswer(Kind kind) {
        return kind == Kind.UPDATE || kind == Kind.ACCURACY_COUNTS || kind == Kind.FAILED;
    }

    /** Weight of a failure whose worker was started for another training. */
    static final long OTHER_TRAINING = -2;

    /** Weight of a failure whose worker cannot build the shard. */
    static final long UNBUILT = -3;

    static boolean isUnbuilt(ModelMessage message) {
        return message.kind() == Kind.FAILED && message.weight() == UNBUILT;
    }

    /** Returns whether a failure is that of a worker, so that another one may do its work. */
    static boolean isOfWorker(ModelMessage message) {
        return message.kind() == Kind.FAILED && (message.weight() == UNREACHABLE || message.weight() == OTHER_TRAINING);
    }

    static boolean haveAttempt(Kind kind) {
        return kind == Kind.UPDATE || kind == Kind.FAILED;
    }

    /** Returns the attempt that a message answers; 0 if it is truncated. */
    static int attempt(ModelMessage message) {
        byte[] body = message.body();
        return body.length < Integer.BYTES ? NO_ATTEMPT : ByteBuffer.wrap(body).getInt();
    }

    /** Returns the body without the attempt. */
    static DataInputStream body(ModelMessage message) throws IOException {
        DataInputStream in = Bodies.read(message.body());
        if (haveAttempt(message.kind())) {
            in.readInt();
        }
        return in;
    }

    /** Returns the reason of a failure. */
    static String sentence(ModelMessage message) {
        byte[] body = message.body();
        int length = Math.max(0, Math.min(body.length - Integer.BYTES, MAX_SENTENCE_BYTES));
        return new String(body, body.length - length, length, StandardCharsets.UTF_8);
    }

    /** Returns the address in a heartbeat; null for a worker without one. */
    static @Nullable PeerAddress address(ModelMessage message) {
        if (message.body().length == 0) {
            return null;
        }
        try {
            return PeerAddress.read(Bodies.read(message.body()));
        } catch (IOException e) {
            return null; // of another version: it takes no part in rounds of shared steps
        }
    }

    /**
     * Reads the update of a shard.
     *
     * @param in the body without the attempt
     * @param from the state that the shard trained from
     * @throws IOException if it is not an update from this state
     */
    static LocalUpdate update(ModelMessage message, DataInputStream in, ModelState from) throws IOException {
        EpochReport report = EpochReport.read(in);
        int epochBatches = in.readInt();
        ShardSize size = ShardSize.read(in);
        if (message.weight() < 0
                || message.weight() > Integer.MAX_VALUE
                || epochBatches < 0
                || epochBatches > Math.max(message.weight(), size.vertices())) {
            throw new IOException("a shard cannot have %d training vertices and %d mini-batches"
                    .formatted(message.weight(), epochBatches));
        }
        ModelState state = message.weight() > 0 ? ModelState.read(in) : from;
        EmbeddingRows changed = Bodies.rows(in);
        EmbeddingRows expected = from.embeddings();
        if ((changed == null) != (expected == null)
                || changed != null && expected != null && changed.width() != expected.width()) {
            throw new IOException("the embeddings have another width than those of this training");
        }
        if (!state.fits(from)) {
            throw new IOException("the model has another shape than the one sent for training");
        }
        return new LocalUpdate(state.with(changed), message.weight(), epochBatches, report, size);
    }
}
