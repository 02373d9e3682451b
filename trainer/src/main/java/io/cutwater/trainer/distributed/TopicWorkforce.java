package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.FloatArrays;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's side of a training whose workers are other processes, see {@link TopicWorker}. Each request assigns
 * the shards in turn to the workers that are present. When a worker times out, its unanswered shards go to the others
 * at once; the result is the same, because an answer depends only on the request. A worker that joins gets shards from
 * the next request on.
 */
public final class TopicWorkforce implements Workforce {
    private static final Duration POLL = Duration.ofMillis(100);
    /** Sender name of a coordinator on the topics. */
    public static final String SENDER = "coordinator";

    private static final int NO_ROUND = 0;
    private static final int NO_SHARD = -1;

    private final ModelChannel channel;
    private final long run;
    private final String description;
    private final Members members;
    private final Consumer<String> notes;
    private final @Nullable DirectModels direct;
    private boolean isDirect;
    private long bytesTaken;
    private long passedOver;
    private final boolean needsAllShards;
    private final int samplers;
    private int attemptsOf = NO_ROUND;
    private int attempts;
    private List<Object> linked = List.of();
    private boolean isLinked;
    private int links;

    /**
     * Creates a workforce that owns the channel and takes over the workers of any earlier coordinator, which then ends.
     *
     * @param description description of the training; workers with another one are not used
     * @param timeout time without a message after which a worker is removed
     * @param needsAllShards see {@link Workforce#needsAllShards}
     * @param samplers number of samplers to wait for at the start; 0 if workers make their mini-batches
     * @param notes receives messages for users about workers that join or leave
     * @param mesh connections on which models travel, which the caller closes; null if they travel on the topics
     */
    public TopicWorkforce(
            ModelChannel channel,
            String description,
            Duration timeout,
            boolean needsAllShards,
            int samplers,
            Consumer<String> notes,
            @Nullable Mesh mesh) {
        this.channel = channel;
        direct = mesh == null ? null : new DirectModels(mesh, channel::wake);
        run = channel.run();
        this.description = description;
        this.needsAllShards = needsAllShards;
        this.samplers = samplers;
        this.notes = notes;
        members = new Members(timeout);
        isDirect = mesh != null;
    }

    /**
     * Waits for workers, for a limited time.
     *
     * @throws IllegalStateException if no worker joined in time; the message is meant for users
     */
    public void awaitWorkers(int count, Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        members.begin();
        while ((members.count() < count || members.samplers().size() < samplers) && System.nanoTime() < deadline) {
            hear();
        }
        if (members.count() == 0) {
            throw new IllegalStateException(
                    "no worker joined within %d s; start 'train --role worker' with the same topics, then start the coordinator again"
                            .formatted(wait.toSeconds()));
        }
        if (samplers > 0 && members.samplers().isEmpty()) {
            throw new IllegalStateException(
                    "no sampler joined within %d s; start 'train --role sampler' with the same topics and options, then start the coordinator again"
                            .formatted(wait.toSeconds()));
        }
        if (members.count() < count) {
            notes.accept("starts with %d of %d workers; others may join".formatted(members.count(), count));
        }
    }

    @Override
    public int workers() {
        return members.count();
    }

    @Override
    public boolean needsAllShards() {
        return needsAllShards;
    }

    /** Does nothing: workers build shards when they are first asked for them. */
    @Override
    public void prepare(ShardCut cut) {}

    @Override
    public List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap)
            throws InterruptedException {
        return ask(
                Kind.TRAIN,
                round,
                (out, isLinked) -> {
                    from.write(out);
                    Bodies.write(isLinked ? null : from.embeddings(), out);
                },
                Kind.UPDATE,
                (message, in) -> Answers.update(message, in, from),
                wait,
                gap);
    }

    @Override
    public List<@Nullable AccuracyCounts> test(Round round, ModelState state, Duration wait, Gap gap)
            throws InterruptedException {
        return ask(
                Kind.TEST,
                round,
                (out, isLinked) -> {
                    FloatArrays.write(state.weights(), out);
                    Bodies.write(isLinked ? null : state.embeddings(), out);
                },
                Kind.ACCURACY_COUNTS,
                (message, in) -> AccuracyCounts.read(in),
                wait,
                gap);
    }

    interface Reader<T> {
        T read(ModelMessage message, DataInputStream in) throws IOException;
    }

    private <T> List<@Nullable T> ask(
            Kind question, Round round, WorkAssignment.Rest rest, Kind answer, Reader<T> reader, Duration wait, Gap gap)
            throws InterruptedException {
        if (round.sharesSteps()) {
            return new SharedRequest<>(this, members, notes, question, round, rest, answer, reader).ask(wait, gap);
        }
        return new SeparateRequest<>(this, members, question, round, rest, answer, reader, gap).ask(wait);
    }

    /** Returns an assignment of shards that do not need each other. */
    WorkAssignment separate(Round round, Map<String, List<Integer>> dealt) {
        return new WorkAssignment(description, round, dealt);
    }

    /** Returns the next attempt at a request that needs all shards. */
    WorkAssignment shared(
            Round round,
            Map<String, List<Integer>> dealt,
            Map<String, List<Integer>> ofSamplers,
            Map<String, PeerAddress> addresses) {
        if (round.number() != attemptsOf) {
            attemptsOf = round.number();
            attempts = 0;
        }
        List<Object> needed = List.of(round.cut(), dealt, ofSamplers, addresses);
        isLinked = needed.equals(linked);
        links += isLinked ? 0 : 1;
        linked = needed;
        return new WorkAssignment(
                description, round, dealt, ofSamplers, addresses, ++attempts, Hashing.mix64(run, links), null);
    }

    boolean needsSamplers() {
        return samplers > 0;
    }

    /** Makes the next attempt link all shards again. */
    void linksFailed() {
        linked = List.of();
    }

    void send(Kind question, WorkAssignment assignment, WorkAssignment.Rest rest) {
        WorkAssignment placed = assignment.with(direct != null && isDirect ? direct.offer(rest, isLinked) : null);
        channel.send(new ModelMessage(
                question, run, assignment.round().number(), NO_SHARD, 0, SENDER, placed.encode(rest, isLinked)));
    }

    /** Returns whether a message belongs to an attempt at a round. */
    boolean isAnswer(ModelMessage message, Round round, int attempt) {
        return message.run() == run
                && message.round() == round.number()
                && (!Answers.haveAttempt(message.kind()) || Answers.attempt(message) == attempt);
    }

    /** Counts an unreadable answer of a sender that was not asked; reports the 1st, 2nd, 4th, … of them. */
    void skipped(ModelMessage message, String why) {
        passedOver++;
        if (Long.bitCount(passedOver) == 1) {
            notes.accept("skipped a message from %s about shard %d, %d so far: a message %s"
                    .formatted(message.sender(), message.shard(), passedOver, why));
        }
    }

    /** Takes note of failures of workers. */
    private void notice(ModelMessage message) {
        if (message.run() != run || !Answers.isOfWorker(message)) {
            return;
        }
        String who = members.words(message.sender());
        if (message.weight() == Answers.UNREACHABLE && isDirect) {
            isDirect = false;
            notes.accept("%s: models travel on the topics from now on; %s".formatted(who, Answers.sentence(message)));
        } else if (message.weight() == Answers.OTHER_TRAINING && members.refuse(message.sender())) {
            notes.accept("%s ends and is not used: %s".formatted(who, Answers.sentence(message)));
        }
    }

    /** Receives messages, and keeps track of the workers. */
    List<ModelMessage> hear() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        List<ModelMessage> messages = channel.poll(POLL);
        if (direct != null) {
            messages.addAll(direct.take());
        }
        members.listened();
        for (ModelMessage message : messages) {
            if (message.kind() == Kind.BEGIN) {
                throw new IllegalStateException(
                        "another coordinator was started on the same topics and has taken over; this one ends and leaves its checkpoint unchanged");
            }
            notice(message);
            if (message.kind() == Kind.ALIVE) {
                members.hasThreads(message.sender(), (int) Math.min(Integer.MAX_VALUE, message.weight()));
                members.hasAddress(message.sender(), Answers.address(message));
            }
            // Only a heartbeat registers a worker; an answer does not.
            boolean isWorker = (message.kind() == Kind.ALIVE || members.isHere(message.sender()))
                    && !members.isRefused(message.sender());
            if (isWorker && members.heard(message.sender())) {
                boolean isUnused = samplers == 0 && members.isSampler(message.sender());
                notes.accept("%s joins%s"
                        .formatted(
                                members.words(message.sender()),
                                isUnused ? " and is not used; give the coordinator --sampler-processes" : ""));
            }
        }
        for (String worker : members.removeTimedOut()) {
            String who = members.words(worker);
            notes.accept("%s timed out; its shards go to other %ss".formatted(who, who.substring(0, who.indexOf(' '))));
        }
        return messages;
    }

    @Override
    public long takeBytes() {
        long taken = channel.bytes() + (direct == null ? 0 : direct.bytes()) - bytesTaken;
        bytesTaken += taken;
        return taken;
    }

    /** Tells the workers that the training is over. Without this message they wait for another coordinator. */
    public void end() {
        channel.send(new ModelMessage(Kind.END, run, NO_ROUND, NO_SHARD, 0, SENDER, new byte[0]));
    }

    @Override
    public void close() {
        channel.close();
    }
}
