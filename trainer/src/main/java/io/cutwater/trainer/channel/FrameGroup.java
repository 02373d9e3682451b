package io.cutwater.trainer.channel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The shards that work together in a request, and the frames that they have not taken yet. Shards of this process pass
 * buffers to each other; frames for other processes go through a transport. Messages: each shard sends to all others
 * and then waits for all others, so that a sender is at most two frames ahead of a receiver. Questions are answered
 * whatever the other shard does.
 *
 * <p>If samplers make the mini-batches, each shard has two ends: that of its worker, and that of its sampler. Ends of
 * workers talk to each other, as do those of samplers, and a worker asks the sampler of its shard. The end of a worker
 * has the number of the shard, and that of a sampler this number plus the number of shards. Thread-safe.
 */
public final class FrameGroup {
    private static final int MAX_WAITING = 4;

    private final int size;
    private final int ends;
    private final List<String> teams;
    private final long linkId;
    private final Transport transport;
    private final List<Queue<ByteBuffer>> waiting = new ArrayList<>();
    private final @Nullable FrameAnswerer[] answerers;
    private final @Nullable FrameAnswerer[] servers;
    private final Map<Integer, Question> questions = new HashMap<>();
    private int questionsAsked;
    private @Nullable String failure;

    /** The meaning of a frame. */
    public enum Purpose {
        /** Taken by the receiver when it gets there. */
        MESSAGE,
        /** Answered at once. */
        QUESTION,
        ANSWER
    }

    /** Sends frames to other processes. */
    @FunctionalInterface
    public interface Transport {
        /** Returns whether an end is in this process. */
        default boolean isHere(int end) {
            return true;
        }

        /**
         * Sends a frame without waiting; returns false if the receiver is a shard of this process.
         *
         * @param number number of the question among those of the sender's process, from 1; 0 for a message
         */
        boolean send(int from, int to, Purpose purpose, int number, ByteBuffer frame);
    }

    /** A question to a shard of another process. */
    private static final class Question {
        private final int to;
        private @Nullable ByteBuffer answer;

        Question(int to) {
            this.to = to;
        }
    }

    /**
     * Creates a group.
     *
     * @param size number of shards, at least 1
     * @param linkId see {@link FrameChannel#linkId}
     */
    public FrameGroup(int size, long linkId, Transport transport) {
        this(size, List.of(), linkId, transport);
    }

    /**
     * Creates a group.
     *
     * @param size number of shards, at least 1
     * @param teams name of each shard's worker with its sampler; empty if shards have no end of a sampler
     * @param linkId see {@link FrameChannel#linkId}
     */
    public FrameGroup(int size, List<String> teams, long linkId, Transport transport) {
        this.size = size;
        this.teams = List.copyOf(teams);
        ends = teams.isEmpty() ? size : 2 * size;
        this.linkId = linkId;
        this.transport = transport;
        answerers = new FrameAnswerer[ends];
        servers = new FrameAnswerer[ends];
        for (int pair = 0; pair < ends * ends; pair++) {
            waiting.add(new ArrayDeque<>(MAX_WAITING));
        }
    }

    /** Creates a group whose shards are all in this process. */
    public static FrameGroup ofThisProcess(int size) {
        return new FrameGroup(size, 0, (from, to, purpose, number, frame) -> false);
    }

    /** Returns the channel of one shard; each shard needs a thread of its own. */
    public FrameChannel channel(int rank) {
        return new FrameChannel(this, rank, 0);
    }

    /** Returns the channel of the sampler of one shard to the samplers of the others. */
    public FrameChannel samplerChannel(int rank) {
        return new FrameChannel(this, rank, size);
    }

    int size() {
        return size;
    }

    boolean hasSamplers() {
        return ends > size;
    }

    /** Returns the shards with the same worker and sampler as a shard, ascending. */
    List<Integer> team(int rank) {
        return IntStream.range(0, teams.size())
                .filter(other -> teams.get(other).equals(teams.get(rank)))
                .boxed()
                .toList();
    }

    /** Returns the server of a sampler of this process, as soon as there is one. */
    FrameAnswerer server(int rank) throws InterruptedException {
        return answerer(rank, size + rank);
    }

    /** Returns the shard of an end. */
    public int shard(int end) {
        return end % size;
    }

    /** Returns whether a question of one end to another is that of a worker to a sampler. */
    public boolean isForSampler(int from, int to) {
        return from < size && to >= size;
    }

    boolean isHere(int end) {
        return transport.isHere(end);
    }

    long linkId() {
        return linkId;
    }

    void send(int from, int to, ByteBuffer frame) {
        if (!transport.send(from, to, Purpose.MESSAGE, 0, frame)) {
            deliver(from, to, frame);
        }
    }

    /**
     * Delivers a message to a shard of this process.
     *
     * @throws IllegalStateException if the sender is further ahead than the protocol allows
     */
    public synchronized void deliver(int from, int to, ByteBuffer frame) {
        Queue<ByteBuffer> queue = waiting.get(from * ends + to);
        if (queue.size() == MAX_WAITING) {
            throw new IllegalStateException("shard %d sent more than %d frames that shard %d has not asked for"
                    .formatted(from, MAX_WAITING, to));
        }
        queue.add(frame);
        notifyAll();
    }

    /** Makes all shards of this process fail with a sentence for users; the first one counts. */
    public synchronized void fail(String sentence) {
        if (failure == null) {
            failure = sentence;
            notifyAll();
        }
    }

    synchronized ByteBuffer receive(int from, int to) throws InterruptedException {
        Queue<ByteBuffer> queue = waiting.get(from * ends + to);
        while (true) {
            requireNoFailure();
            ByteBuffer frame = queue.poll();
            if (frame != null) {
                return frame;
            }
            wait();
        }
    }

    private void requireNoFailure() {
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    synchronized void answerWith(int rank, FrameAnswerer answerer) {
        answerers[rank] = answerer;
        notifyAll();
    }

    synchronized void serveWith(int rank, FrameAnswerer server) {
        servers[rank] = server;
        notifyAll();
    }

    FrameChannel.Answer ask(int from, int to, ByteBuffer question) {
        int number = number(to);
        if (transport.send(from, to, Purpose.QUESTION, number, question)) {
            return () -> await(number);
        }
        forget(number);
        return () -> answer(from, to, question);
    }

    private synchronized int number(int to) {
        questions.put(++questionsAsked, new Question(to));
        return questionsAsked;
    }

    private synchronized void forget(int number) {
        questions.remove(number);
    }

    private synchronized ByteBuffer await(int number) throws InterruptedException {
        while (true) {
            requireNoFailure();
            Question question = questions.get(number);
            if (question == null) {
                throw new IllegalStateException("the answer to question %d was taken".formatted(number));
            }
            ByteBuffer answer = question.answer;
            if (answer != null) {
                questions.remove(number);
                return answer;
            }
            wait();
        }
    }

    /**
     * Answers a question to a shard of this process, as soon as the shard can.
     *
     * @throws IllegalStateException if the group fails before that; the message is meant for users
     * @throws IllegalArgumentException if the question makes no sense; the message is meant for users
     */
    public ByteBuffer answer(int from, int to, ByteBuffer question) throws InterruptedException {
        return answerer(from, to).answer(question);
    }

    private synchronized FrameAnswerer answerer(int from, int to) throws InterruptedException {
        @Nullable FrameAnswerer[] all = isForSampler(from, to) ? servers : answerers;
        while (true) {
            requireNoFailure();
            FrameAnswerer answerer = all[to];
            if (answerer != null) {
                return answerer;
            }
            wait();
        }
    }

    /**
     * Delivers the answer to a question of this process.
     *
     * @throws IllegalStateException if the shard was not asked this
     */
    public synchronized void deliverAnswer(int from, int number, ByteBuffer answer) {
        Question question = questions.get(number);
        if (question == null || question.to != from || question.answer != null) {
            throw new IllegalStateException("shard %d answers question %d, which is not open".formatted(from, number));
        }
        question.answer = answer;
        notifyAll();
    }
}
