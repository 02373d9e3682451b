package io.cutwater.flink.operator.distributed;

import io.cutwater.state.feedback.VertexUpdate;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;
import org.apache.flink.api.common.operators.MailboxExecutor;

/**
 * Reads updates in a thread of its own and passes them to the task's mailbox, which has priority over its input. A
 * bound on the waiting mails applies backpressure; the topic keeps the rest.
 */
final class UpdateThread implements AutoCloseable {
    private static final int MAX_WAITING = 8;
    /** Time in which updates gather: many small fetches take more of the broker's time than of ours. */
    private static final long GATHER_MILLIS = 10;

    /** How long updates that nobody waits for stay in the topic: it may delete old ones. */
    private static final long UNWANTED_MILLIS = 500;

    private static final long CLOSE_CHECK_MILLIS = 100;
    private static final long CLOSE_MILLIS = 10_000;

    private final UpdateSource.Reader reader;
    private final MailboxExecutor mailbox;
    private final ObjLongConsumer<List<VertexUpdate>> apply;
    private final Semaphore free = new Semaphore(MAX_WAITING);
    private final Thread thread;
    private final AtomicLong waitingForTask = new AtomicLong();
    private volatile long waitingForReader;
    private volatile boolean isWanted = true;
    private volatile boolean isClosed;

    /** @param apply receives updates and the send time of the first one */
    UpdateThread(
            String name,
            UpdateSource.Reader reader,
            MailboxExecutor mailbox,
            ObjLongConsumer<List<VertexUpdate>> apply) {
        this.reader = reader;
        this.mailbox = mailbox;
        this.apply = apply;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns the known number of records that were sent and are not applied. */
    long waiting() {
        return waitingForReader + waitingForTask.get();
    }

    /** Says whether the task waits for updates: if not, they are read seldom, and so in fewer fetches. */
    void setWanted(boolean isWanted) {
        boolean wasWanted = this.isWanted;
        this.isWanted = isWanted;
        if (isWanted && !wasWanted) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try (reader) {
            while (!isClosed) {
                awaitWish();
                List<VertexUpdate> updates = reader.poll();
                long sentMillis = reader.sentMillis();
                waitingForTask.addAndGet(updates.size());
                waitingForReader = reader.waiting();
                if (!updates.isEmpty() && isFree()) {
                    give(updates, sentMillis);
                    Thread.sleep(GATHER_MILLIS);
                }
            }
        } catch (InterruptedException | RuntimeException | Error e) {
            // After any failure, the task must not continue without updates.
            fail(e);
        }
    }

    private void awaitWish() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(UNWANTED_MILLIS);
        while (!isWanted && !isClosed && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private boolean isFree() throws InterruptedException {
        while (!free.tryAcquire(CLOSE_CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (isClosed) {
                return false;
            }
        }
        return true;
    }

    private void give(List<VertexUpdate> updates, long sentMillis) {
        try {
            mailbox.execute(
                    () -> {
                        free.release();
                        waitingForTask.addAndGet(-updates.size());
                        apply.accept(updates, sentMillis);
                    },
                    "apply vertex updates");
        } catch (RejectedExecutionException e) {
            isClosed = true; // The task is ending.
        }
    }

    private void fail(Throwable cause) {
        if (isClosed) {
            return;
        }
        try {
            mailbox.execute(
                    () -> {
                        throw new IllegalStateException("cannot read vertex updates: " + cause.getMessage(), cause);
                    },
                    "fail for lack of vertex updates");
        } catch (RejectedExecutionException e) {
            // The task is ending.
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        LockSupport.unpark(thread);
        reader.wakeUp();
        thread.join(CLOSE_MILLIS);
    }
}
