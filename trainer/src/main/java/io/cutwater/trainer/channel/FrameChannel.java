package io.cutwater.trainer.channel;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The channels of one shard to the others of its group. Frames of one sender arrive in the order of sending, each
 * exactly once. Used by one thread, but any thread may ask.
 */
public final class FrameChannel {
    private final FrameGroup group;
    private final int rank;
    private final int first; // end of shard 0

    FrameChannel(FrameGroup group, int rank, int first) {
        this.group = group;
        this.rank = rank;
        this.first = first;
    }

    /** Returns the channel of a shard without others. */
    public static FrameChannel alone() {
        return FrameGroup.ofThisProcess(1).channel(0);
    }

    /** Returns the number of this shard, from 0. */
    public int rank() {
        return rank;
    }

    /** Returns the number of shards. */
    public int size() {
        return group.size();
    }

    /** Returns whether a shard is in this process. */
    public boolean isHere(int other) {
        return group.isHere(first + other);
    }

    /**
     * Returns a number that stays the same as long as the same processes have the shards and none of them fails. What
     * shards have told each other in a group holds in later groups of this number.
     */
    public long linkId() {
        return group.linkId();
    }

    /**
     * Sends a frame without waiting for its receiver.
     *
     * @param receiver another shard
     * @param frame from position to limit; the caller does not change it afterwards
     */
    public void send(int receiver, ByteBuffer frame) {
        group.send(first + rank, first + receiver, frame);
    }

    /**
     * Waits for the next frame of a shard.
     *
     * @param sender another shard
     * @throws IllegalStateException if the group failed; the message is meant for users
     */
    public ByteBuffer receive(int sender) throws InterruptedException {
        return group.receive(first + sender, first + rank);
    }

    /** Answers questions to this shard, beginning with those that already wait. */
    public void answerWith(FrameAnswerer answerer) {
        group.answerWith(first + rank, answerer);
    }

    /** The answer to a question. */
    @FunctionalInterface
    public interface Answer {
        /**
         * Waits for the answer; called once. A shard of this process answers in this thread.
         *
         * @throws IllegalStateException if the group failed; the message is meant for users
         */
        ByteBuffer get() throws InterruptedException;
    }

    /**
     * Asks a shard without waiting.
     *
     * @param other this shard or another one
     * @param question from position to limit; the caller does not change it afterwards
     */
    public Answer ask(int other, ByteBuffer question) {
        return group.ask(first + rank, first + other, question);
    }

    /** Returns whether a sampler makes the mini-batches of this shard. */
    public boolean hasSampler() {
        return group.hasSamplers();
    }

    /** Returns the shards with the same worker and the same sampler as this one, ascending. */
    public List<Integer> team() {
        return group.team(rank);
    }

    /**
     * Asks the sampler of a shard without waiting; for the shard's worker.
     *
     * @param shard one of {@link #team}
     * @param question from position to limit; the caller does not change it afterwards
     */
    public Answer askSampler(int shard, ByteBuffer question) {
        return group.ask(shard, group.size() + shard, question);
    }

    /** Answers the questions of the shard's worker, beginning with those that already wait; for its sampler. */
    public void serveWith(FrameAnswerer server) {
        group.serveWith(first + rank, server);
    }

    /**
     * Waits for what serves a shard of this sampler in this group, see {@link #serveWith}.
     *
     * @param shard one of {@link #team}
     * @throws IllegalStateException if the group fails before that; the message is meant for users
     */
    public FrameAnswerer server(int shard) throws InterruptedException {
        return group.server(shard);
    }
}
