package io.cutwater.trainer.remote;

import io.cutwater.kafka.client.ModelChannel;
import io.cutwater.kafka.record.ModelMessage;
import io.cutwater.kafka.record.ModelMessage.Kind;
import io.cutwater.trainer.training.FloatArrays;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ModelState;
import io.cutwater.trainer.training.OpenShards;
import io.cutwater.trainer.training.Round;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.Tally;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A worker: trains and tests on the shards that the coordinator gives it, one after the other in one thread, while
 * another says every second that it is there. What it has not done when the next question comes is left undone.
 */
public final class TopicWorker {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NO_ROUND = 0;
    private static final int NO_SHARD = -1;

    private final ModelChannel channel;
    private final String name;
    private final String description;
    private final OpenShards shards;

    private final Queue<ModelMessage> answers = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> work = new ArrayList<>();
    private Question current = new Question(Kind.END, 0, NO_ROUND);

    private record Question(Kind kind, long run, int round) {}

    /**
     * Takes over the channel.
     *
     * @param name that no other worker has or had
     * @param description of the training that it was started for
     */
    public TopicWorker(ModelChannel channel, String name, String description, ShardTrainers trainers) {
        this.channel = channel;
        this.name = name;
        this.description = description;
        shards = new OpenShards(trainers);
    }

    /** Works until the coordinator says that the training is over. */
    public void run() throws InterruptedException {
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "trainer-" + name);
            made.setDaemon(true);
            return made;
        });
        try {
            serve(thread);
        } finally {
            work.forEach(task -> task.cancel(true));
            thread.execute(shards::close);
            thread.shutdown();
            channel.close();
            thread.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private void serve(ExecutorService thread) throws InterruptedException {
        long said = System.nanoTime() - ALIVE_NANOS;
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - said >= ALIVE_NANOS) {
                said = System.nanoTime();
                channel.send(new ModelMessage(Kind.ALIVE, 0, NO_ROUND, NO_SHARD, 0, name, new byte[0]));
            }
            for (ModelMessage message : channel.poll(POLL)) {
                if (message.run() < current.run()) {
                    continue; // of a coordinator that another one has replaced
                }
                if (message.kind() == Kind.END) {
                    return;
                }
                take(message, thread);
            }
            for (ModelMessage answer; (answer = answers.poll()) != null; ) {
                channel.send(answer);
            }
        }
    }

    private void take(ModelMessage message, ExecutorService thread) {
        Question question = new Question(message.kind(), message.run(), message.round());
        if (!question.equals(current)) {
            work.forEach(task -> task.cancel(true));
            work.clear();
            answers.clear();
            current = question;
        }
        if (message.kind() != Kind.BEGIN) {
            // A second order of the same question deals out what somebody else has left.
            work.add(thread.submit(() -> answer(question, message.body())));
        }
    }

    private void answer(Question question, byte[] body) {
        try (DataInputStream in = Bodies.read(body)) {
            Order order = Order.read(in);
            if (order.description().equals(description)) {
                shards.moveTo(order.round().cut()); // also when no shard of it is this worker's
            }
            Asked asked = question.kind() == Kind.TRAIN ? training(order.round(), in) : test(order.round(), in);
            for (int shard : order.shards().getOrDefault(name, List.of())) {
                if (!order.description().equals(description)) {
                    fail(
                            question,
                            shard,
                            "it was started for '%s', and not for '%s'".formatted(description, order.description()));
                    continue;
                }
                try {
                    say(asked.of(question, shard));
                } catch (InterruptedException e) {
                    return; // nobody waits for the rest
                } catch (IOException | RuntimeException | Error e) { // or nobody would hear of it
                    fail(question, shard, e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
                }
            }
        } catch (IOException e) {
            fail(question, 0, "it cannot read what it is asked; start all of them with the same version");
        }
    }

    private void fail(Question question, int shard, String sentence) {
        say(new ModelMessage(
                Kind.FAILED,
                question.run(),
                question.round(),
                shard,
                question.kind().ordinal(),
                name,
                sentence.getBytes(StandardCharsets.UTF_8)));
    }

    private void say(ModelMessage answer) {
        answers.add(answer);
        channel.wake();
    }

    private interface Asked {
        ModelMessage of(Question question, int shard) throws IOException, InterruptedException;
    }

    private Asked training(Round round, DataInputStream in) throws IOException {
        ModelState from = ModelState.read(in);
        return (question, shard) -> {
            LocalUpdate update = shards.of(shard, round.cut()).train(round, from);
            byte[] body = Bodies.of(out -> {
                update.report().write(out);
                out.writeInt(update.epochBatches());
                update.size().write(out);
                if (update.examples() > 0) { // or nobody looks at it
                    update.state().write(out);
                }
            });
            return message(Kind.UPDATE, question, shard, update.examples(), body);
        };
    }

    private Asked test(Round round, DataInputStream in) throws IOException {
        float[][] weights = FloatArrays.read(in);
        return (question, shard) -> {
            Tally tally = shards.of(shard, round.cut()).evaluate(weights);
            return message(Kind.TALLY, question, shard, 0, Bodies.of(tally::write));
        };
    }

    private ModelMessage message(Kind kind, Question question, int shard, long weight, byte[] body) {
        return new ModelMessage(kind, question.run(), question.round(), shard, weight, name, body);
    }
}
