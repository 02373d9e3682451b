package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.feedback.LoopSender;
import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.move.PeerMeeting;
import io.cutwater.state.parts.Exchange;
import java.io.Closeable;
import java.io.IOException;
import java.util.UUID;

/** Messages between the tasks that place a history together, through the topic of updates. */
final class TaskLink implements Closeable {
    private static final long CLOSE_MILLIS = 10_000;

    private final UpdateSource.Reader reader;
    private final LoopSender sender;
    private final PeerMeeting meeting;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Begins to read what the others send.
     *
     * @param tasks how many there are
     * @throws IOException if the broker does not answer
     */
    TaskLink(BulkTask task, int tasks) throws IOException {
        int[] firstBuckets = task.firstBuckets(tasks);
        int bucket = firstBuckets[task.number()];
        reader = task.loop().open(bucket, bucket + 1, task.buckets());
        try {
            sender = task.loop().sender(task.buckets(), this::fail);
        } catch (IOException e) {
            reader.close();
            throw e;
        }
        // The high half of a random UUID: 60 random bits, and one UUID is made in every attempt.
        long run = UUID.randomUUID().getMostSignificantBits();
        meeting = new PeerMeeting(task.job(), task.number(), firstBuckets, run, sender::send);
        thread = new Thread(this::read, Thread.currentThread().getName() + ", messages");
        thread.setDaemon(true);
        thread.start();
    }

    private void fail(IOException cause) {
        meeting.fail(cause);
    }

    private void read() {
        try (reader) {
            while (!isClosed) {
                for (VertexUpdate update : reader.poll()) {
                    meeting.receive(update);
                }
            }
        } catch (RuntimeException | Error e) {
            fail(new IOException("cannot read the messages of the other tasks: " + e.getMessage(), e));
        }
    }

    /** Waits for all tasks; an exchange that fails says what ended it. */
    Exchange meet() throws IOException, InterruptedException {
        Exchange begun = meeting.meet();
        return new Exchange() {
            @Override
            public int parts() {
                return begun.parts();
            }

            @Override
            public int part() {
                return begun.part();
            }

            @Override
            public long[][] exchange(long[][] messages) throws IOException {
                try {
                    return begun.exchange(messages);
                } catch (IOException e) {
                    IOException cause = meeting.failure();
                    throw cause == null ? e : new IOException(cause.getMessage(), cause);
                }
            }
        };
    }

    @Override
    public void close() {
        isClosed = true;
        meeting.close();
        reader.wakeUp();
        boolean isInterrupted = Thread.interrupted();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        sender.close();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
