package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import java.io.Serializable;
import java.util.List;

/** Where the updates of the loop come from: the topic in a job, a queue in a test. */
public interface UpdateSource extends Serializable {
    /**
     * Opens it from now on: nothing that is sent after this returns is missed.
     *
     * @param first the first bucket whose updates are wanted; those of other buckets may come along
     * @param end the bucket behind the last one
     * @param buckets how many there are
     */
    Reader open(int first, int end, int buckets);

    /** Reads in one thread; only {@link #wakeUp} and {@link #malformed} may be called from another. */
    interface Reader extends AutoCloseable {
        /**
         * The next updates, in the order of each topic partition; none after a while.
         *
         * @throws RuntimeException if no more will come, with a sentence for who looks after the job
         */
        List<VertexUpdate> poll();

        /** Records that were no updates and were passed over; may be asked by any thread. */
        long malformed();

        /** When the first of the last updates was sent, in ms since 1970 by the clock of who has sent it. */
        long sentMillis();

        /** Records that were there already and come with a later {@link #poll}, as far as is known. */
        long waiting();

        /** Makes {@link #poll} return at once. */
        void wakeUp();

        @Override
        void close();
    }
}
