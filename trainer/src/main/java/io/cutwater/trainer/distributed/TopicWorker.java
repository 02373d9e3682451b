package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.training.OpenShards;
import io.cutwater.trainer.training.ShardThread;
import io.cutwater.trainer.training.ShardTrainers;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A worker or sampler process: trains and tests the shards that the coordinator assigns to it, in one or several
 * threads with shards of their own, while another thread sends a heartbeat every second. Work that is unfinished when
 * the next request arrives is dropped.
 */
public final class TopicWorker {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long ALIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int NO_ROUND = 0;
    private static final int NO_SHARD = -1;
    private static final String UNREADABLE = "it cannot read the request; run all processes with the same version";

    private final ModelChannel channel;
    private final String name;
    private final String description;
    private final WorkerLanes lanes;

    private final Queue<ModelMessage> answers = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> work = new ArrayList<>();

    private final int threads;
    private final @Nullable Mesh mesh;
    private final WorkerModels models;
    private final ShardTasks tasks;
    private @Nullable String refusal; // of a coordinator of another training
    private Question current = new Question(Kind.END, 0, NO_ROUND, 0);

    /** A request of the coordinator. */
    record Question(Kind kind, long run, int round, int attempt) {}

    /**
     * Creates a worker that owns the channel.
     *
     * @param name unique name; no other worker has or had it
     * @param description description of the training that the worker was started for
     * @param threads number of shards trained at the same time; the coordinator assigns correspondingly more shards. In
     *     a round of shared steps all assigned shards train at the same time. 0 for a sampler, which trains none and
     *     makes the mini-batches of the shards assigned to it
     * @param mesh connections to other workers for rounds of shared steps, which the caller closes; null for none
     */
    public TopicWorker(
            ModelChannel channel,
            String name,
            String description,
            ShardTrainers trainers,
            int threads,
            @Nullable Mesh mesh) {
        this.threads = threads;
        this.mesh = mesh;
        models = new WorkerModels(mesh);
        tasks = new ShardTasks(name);
        this.channel = channel;
        this.name = name;
        this.description = description;
        lanes = new WorkerLanes(name, trainers, Math.max(1, threads));
    }

    /**
     * Works until the coordinator ends the training.
     *
     * @throws IllegalStateException if the coordinator trains something else; the message is meant for users
     */
    public void run() throws InterruptedException {
        try {
            serve();
        } finally {
            work.forEach(task -> task.cancel(true));
            lanes.close();
            models.close();
            channel.close();
            lanes.awaitEnd();
        }
    }

    private void serve() throws InterruptedException {
        long said = System.nanoTime() - ALIVE_NANOS;
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - said >= ALIVE_NANOS) {
                said = System.nanoTime();
                byte[] address = mesh == null ? new byte[0] : Bodies.of(mesh.address()::write);
                channel.send(new ModelMessage(Kind.ALIVE, 0, NO_ROUND, NO_SHARD, threads, name, address));
            }
            for (ModelMessage message : channel.poll(POLL)) {
                if (message.run() < current.run()) {
                    continue; // from a coordinator that was replaced
                }
                if (message.kind() == Kind.END) {
                    return;
                }
                take(message);
            }
            for (ModelMessage answer; (answer = answers.poll()) != null; ) {
                channel.send(answer);
            }
            if (refusal != null) {
                throw new IllegalStateException(refusal);
            }
        }
    }

    private void take(ModelMessage message) {
        if (message.kind() == Kind.BEGIN) {
            models.moveTo(null);
            begin(new Question(Kind.BEGIN, message.run(), message.round(), 0));
            return;
        }
        DataInputStream in = Bodies.read(message.body());
        WorkAssignment order;
        try {
            order = WorkAssignment.read(in);
        } catch (IOException | RuntimeException e) {
            // Which shards it names is unknown. The current work continues.
            fail(new Question(message.kind(), message.run(), message.round(), 1), 0, UNREADABLE);
            return;
        }
        Question question = new Question(message.kind(), message.run(), message.round(), order.attempt());
        begin(question);
        models.moveTo(order.models());
        // A second assignment of the same request distributes the shards of a worker that left.
        deal(question, order, in);
    }

    private void begin(Question question) {
        if (!question.equals(current)) {
            work.forEach(task -> task.cancel(true));
            work.clear();
            answers.clear();
            current = question;
            if (mesh != null) {
                mesh.leave();
            }
        }
    }

    /** @param in the request after the assignment */
    private void deal(Question question, WorkAssignment order, DataInputStream in) {
        List<Integer> own = (isSampler() ? order.samplers() : order.shards()).getOrDefault(name, List.of());
        if (order.description().equals(description)) {
            try {
                submit(question, order, own, in);
            } catch (IOException e) {
                own.forEach(shard -> fail(question, shard, ShardThread.sentence(e)));
            }
        } else if (!own.isEmpty()) {
            refusal =
                    "it was started for '%s', but the coordinator trains '%s'; give all processes the same shards and options"
                            .formatted(description, order.description());
            answers.add(failure(question, Answers.OTHER_TRAINING, own.get(0), refusal));
        }
    }

    /** @param in the request after the assignment; a lane reads it, because reading a model takes time */
    private void submit(Question question, WorkAssignment order, List<Integer> own, DataInputStream in)
            throws IOException {
        Round round = order.round();
        boolean isTogether = round.sharesSteps() && !own.isEmpty();
        IntFunction<FrameChannel> channels = isTogether ? channels(question, order) : shard -> FrameChannel.alone();
        FutureTask<ShardTasks.ShardTask> asked = new FutureTask<>(() -> {
            if (isSampler()) {
                return tasks.serving(round, channels);
            }
            DataInputStream model = order.models() == null ? in : models.fetch(order.models());
            return question.kind() == Kind.TRAIN
                    ? tasks.training(round, model, channels)
                    : tasks.test(round, model, channels);
        });
        work.addAll(lanes.submit(
                round.cut(), own, round.sharesSteps(), (ofLane, shards) -> answer(question, asked, ofLane, shards)));
    }

    private IntFunction<FrameChannel> channels(Question question, WorkAssignment order) throws IOException {
        if (mesh == null) {
            throw new IOException("it has no address for other workers; start it with --transport mesh");
        }
        FrameGroup group = mesh.join(order.membership(question.run()));
        return isSampler() ? group::samplerChannel : group::channel;
    }

    private boolean isSampler() {
        return threads == 0;
    }

    /** @param asked the parsed request; it runs in the first lane that needs it */
    private void answer(Question question, FutureTask<ShardTasks.ShardTask> asked, List<Integer> own, OpenShards shards)
            throws InterruptedException {
        for (int shard : own) {
            try {
                asked.run();
                ModelMessage answer = asked.get().of(question, shards, shard);
                if (answer != null) {
                    say(answer);
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UncheckedIOException unreachable) {
                    fail(question, Answers.UNREACHABLE, shard, String.valueOf(unreachable.getMessage()));
                    continue;
                }
                fail(question, shard, UNREADABLE); // for each shard, as the coordinator hears its own worker only
            } catch (ShardTasks.UnbuiltShard e) {
                fail(question, Answers.UNBUILT, shard, String.valueOf(e.getMessage()));
            } catch (IOException | RuntimeException | Error e) { // the coordinator must learn of it
                fail(question, shard, ShardThread.sentence(e));
            }
        }
    }

    private void fail(Question question, int shard, String sentence) {
        fail(question, question.kind().ordinal(), shard, sentence);
    }

    private void fail(Question question, long weight, int shard, String sentence) {
        say(failure(question, weight, shard, sentence));
    }

    private ModelMessage failure(Question question, long weight, int shard, String sentence) {
        return new ModelMessage(Kind.FAILED, question.run(), question.round(), shard, weight, name, Bodies.of(out -> {
            out.writeInt(question.attempt());
            out.write(sentence.getBytes(StandardCharsets.UTF_8));
        }));
    }

    private void say(ModelMessage answer) {
        models.tell(answer, () -> {
            answers.add(answer);
            channel.wake();
        });
    }
}
