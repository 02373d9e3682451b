package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.FloatArrays;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.training.OpenShards;
import io.cutwater.trainer.training.ShardThread;
import io.cutwater.trainer.training.ShardTrainer;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a worker or sampler does for the shards of a request.
 *
 * @param worker name of the process
 */
record ShardTasks(String worker) {
    /** Does the work of a request for one shard. */
    interface ShardTask {
        /** Returns the answer; null if the coordinator expects none. */
        @Nullable ModelMessage of(TopicWorker.Question question, OpenShards shards, int shard)
                throws IOException, InterruptedException;
    }

    ShardTask serving(Round round, IntFunction<FrameChannel> channels) {
        return (question, shards, shard) -> {
            open(shards, shard, round).serve(channels.apply(shard));
            return null;
        };
    }

    ShardTask training(Round round, DataInputStream in, IntFunction<FrameChannel> channels) throws IOException {
        ModelState from = ModelState.read(in).with(Bodies.rows(in));
        return (question, shards, shard) -> {
            LocalUpdate update = open(shards, shard, round).train(round, from, channels.apply(shard));
            byte[] body = Bodies.of(out -> {
                out.writeInt(question.attempt());
                update.report().write(out);
                out.writeInt(update.epochBatches());
                update.size().write(out);
                if (update.examples() > 0) { // otherwise the state is not used
                    update.state().write(out);
                }
                Bodies.write(update.state().embeddings(), out);
            });
            return message(Kind.UPDATE, question, shard, update.examples(), body);
        };
    }

    ShardTask test(Round round, DataInputStream in, IntFunction<FrameChannel> channels) throws IOException {
        ModelState state = ModelState.initial(FloatArrays.read(in)).with(Bodies.rows(in));
        return (question, shards, shard) -> {
            AccuracyCounts counts = open(shards, shard, round).evaluate(round, state, channels.apply(shard));
            return message(Kind.ACCURACY_COUNTS, question, shard, 0, Bodies.of(counts::write));
        };
    }

    private ModelMessage message(Kind kind, TopicWorker.Question question, int shard, long weight, byte[] body) {
        return new ModelMessage(kind, question.run(), question.round(), shard, weight, worker, body);
    }

    /** The failure to build a shard. */
    static final class UnbuiltShard extends RuntimeException {
        private static final long serialVersionUID = 1;

        private UnbuiltShard(IOException cause) {
            super(ShardThread.sentence(cause), cause);
        }
    }

    private static ShardTrainer open(OpenShards shards, int shard, Round round) throws InterruptedException {
        try {
            return shards.of(shard, round.cut());
        } catch (IOException e) {
            throw new UnbuiltShard(e);
        }
    }
}
