package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.averaging.Workforce;
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
import java.util.ArrayList;
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
    private static final int FIRST_ATTEMPT = 1;

    private final ModelChannel channel;
    private final long run;
    private final String description;
    private final Members members;
    private final Consumer<String> notes;
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
     */
    public TopicWorkforce(
            ModelChannel channel,
            String description,
            Duration timeout,
            boolean needsAllShards,
            int samplers,
            Consumer<String> notes) {
        this.channel = channel;
        run = channel.run();
        this.description = description;
        this.needsAllShards = needsAllShards;
        this.samplers = samplers;
        this.notes = notes;
        members = new Members(timeout);
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
        long deadline = System.nanoTime() + wait.toNanos();
        List<@Nullable T> answers = new ArrayList<>();
        List<Integer> open = new ArrayList<>();
        int shards = round.cut().shards();
        for (int shard = 0; shard < shards; shard++) {
            answers.add(null);
            open.add(shard);
        }
        @Nullable String[] owners = new String[shards];
        members.begin();
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            assign(question, round, rest, open, owners);
            for (ModelMessage message : hear()) {
                if (!isAnswer(message, round, FIRST_ATTEMPT) || !open.contains(message.shard())) {
                    continue; // late or duplicate
                }
                if (message.kind() == answer) {
                    try (DataInputStream in = Answers.body(message)) {
                        answers.set(message.shard(), reader.read(message, in));
                        open.remove((Integer) message.shard());
                    } catch (IOException e) {
                        refuse(message, owners[message.shard()], open, gap, e);
                    }
                } else if (message.kind() == Kind.FAILED
                        && message.weight() == question.ordinal()
                        && message.sender().equals(owners[message.shard()])) {
                    gap.tell(
                            message.shard(),
                            "worker %s failed: %s".formatted(message.sender(), Answers.sentence(message)));
                    open.remove((Integer) message.shard());
                }
            }
        }
        for (int shard : open) {
            gap.tell(
                    shard,
                    owners[shard] == null
                            ? "no worker was present"
                            : "worker %s did not finish in time".formatted(owners[shard]));
        }
        return answers;
    }

    /** Assigns the shards that no present worker works on. */
    private void assign(
            Kind question, Round round, WorkAssignment.Rest rest, List<Integer> open, @Nullable String[] owners) {
        List<Integer> orphans = new ArrayList<>();
        for (int shard : open) {
            String owner = owners[shard];
            if (owner == null || !members.isHere(owner)) {
                orphans.add(shard);
            }
        }
        Map<String, List<Integer>> dealt = members.deal(orphans);
        if (!dealt.isEmpty()) {
            dealt.forEach((worker, own) -> own.forEach(shard -> owners[shard] = worker));
            send(question, new WorkAssignment(description, round, dealt), rest);
        }
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
                description, round, dealt, ofSamplers, addresses, ++attempts, Hashing.mix64(run, links));
    }

    boolean needsSamplers() {
        return samplers > 0;
    }

    /** Makes the next attempt link all shards again. */
    void linksFailed() {
        linked = List.of();
    }

    void send(Kind question, WorkAssignment assignment, WorkAssignment.Rest rest) {
        channel.send(new ModelMessage(
                question, run, assignment.round().number(), NO_SHARD, 0, SENDER, assignment.encode(rest, isLinked)));
    }

    /** Returns whether a message belongs to an attempt at a round. */
    boolean isAnswer(ModelMessage message, Round round, int attempt) {
        return message.run() == run
                && message.round() == round.number()
                && (!Answers.haveAttempt(message.kind()) || Answers.attempt(message) == attempt);
    }

    /**
     * Handles an unreadable answer: a shard fails only if its own worker sent it; answers of other senders are skipped.
     */
    private void refuse(ModelMessage message, @Nullable String owner, List<Integer> open, Gap gap, IOException reason) {
        String why = "%s that cannot be read (%s); run all processes with the same version"
                .formatted(message.kind(), reason.getMessage() == null ? "it is truncated" : reason.getMessage());
        if (message.sender().equals(owner)) {
            gap.tell(message.shard(), "worker %s sent a message %s".formatted(message.sender(), why));
            open.remove((Integer) message.shard());
            return;
        }
        passedOver++;
        if (Long.bitCount(passedOver) == 1) { // report the 1st, 2nd, 4th, …
            notes.accept("skipped a message from %s about shard %d, %d so far: a message %s"
                    .formatted(message.sender(), message.shard(), passedOver, why));
        }
    }

    /** Receives messages, and keeps track of the workers. */
    List<ModelMessage> hear() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        List<ModelMessage> messages = channel.poll(POLL);
        members.listened();
        for (ModelMessage message : messages) {
            if (message.kind() == Kind.BEGIN) {
                throw new IllegalStateException(
                        "another coordinator was started on the same topics and has taken over; this one ends and leaves its checkpoint unchanged");
            }
            if (message.kind() == Kind.ALIVE) {
                members.hasThreads(message.sender(), (int) Math.min(Integer.MAX_VALUE, message.weight()));
                members.hasAddress(message.sender(), Answers.address(message));
            }
            // Only a heartbeat registers a worker; an answer does not.
            boolean isWorker = message.kind() == Kind.ALIVE || members.isHere(message.sender());
            if (isWorker && members.heard(message.sender())) {
                notes.accept("%s joins".formatted(members.words(message.sender())));
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
        long taken = channel.bytes() - bytesTaken;
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
