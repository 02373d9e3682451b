package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;

/** Source of vertex updates: a topic in a job, a queue in a test. */
public interface UpdateSource extends Serializable {
    /**
     * Opens a reader that begins at the current end and misses no later update.
     *
     * @param first the first requested bucket; updates of other buckets may be returned as well
     * @param end end of the requested buckets (exclusive)
     * @param buckets number of all buckets
     */
    Reader open(int first, int end, int buckets);

    /**
     * Opens a sender of messages that no sink of the job sends.
     *
     * @param buckets number of all buckets
     * @param failed is told what could not be sent, by any thread
     * @throws IOException if the topic cannot be reached; the message is meant for operators
     */
    Sender sender(int buckets, Consumer<IOException> failed) throws IOException;

    /** Returns a number that all tasks of the job know, in every attempt, and no job that shares the topic has. */
    long loop();

    /** Sends messages; for several threads. */
    interface Sender extends Closeable {
        /** Sends a message; waits if too many are on their way. */
        void send(VertexUpdate message);

        @Override
        void close();
    }

    /** Reader for one thread; only {@link #wakeUp} and {@link #malformed} may be called from another. */
    interface Reader extends AutoCloseable {
        /**
         * Returns the next updates, in order within each topic partition; empty after a time-out.
         *
         * @throws RuntimeException if no more updates can be read; the message is meant for operators
         */
        List<VertexUpdate> poll();

        /** Returns the number of skipped malformed records; for any thread. */
        long malformed();

        /** Returns the send time of the first of the last updates: sender's clock, milliseconds since the epoch. */
        long sentMillis();

        /** Returns the known number of records that a later {@link #poll} will return. */
        long waiting();

        /** Makes a waiting {@link #poll} return. */
        void wakeUp();

        @Override
        void close();
    }
}
