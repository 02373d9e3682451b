package io.cutwater.flink.operator;

import io.cutwater.state.loop.VertexUpdate;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;

/**
 * Reads updates in a thread of its own and has the task's thread apply them, through its mailbox, which goes before its
 * input. A bound on the mails that wait lets a slow task slow the reading down; the topic keeps the rest.
 */
final class UpdateThread implements AutoCloseable {
    private static final int MAX_WAITING = 8;
    private static final long CLOSE_CHECK_MILLIS = 100;
    private static final long CLOSE_MILLIS = 10_000;

    private final UpdateSource.Reader reader;
    private final MailboxExecutor mailbox;
    private final Consumer<List<VertexUpdate>> apply;
    private final Semaphore free = new Semaphore(MAX_WAITING);
    private final Thread thread;
    private volatile boolean isClosed;

    UpdateThread(String name, UpdateSource.Reader reader, MailboxExecutor mailbox, Consumer<List<VertexUpdate>> apply) {
        this.reader = reader;
        this.mailbox = mailbox;
        this.apply = apply;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try (reader) {
            while (!isClosed) {
                List<VertexUpdate> updates = reader.poll();
                if (!updates.isEmpty()) {
                    waitForRoom();
                    mailbox.execute(
                            () -> {
                                free.release();
                                apply.accept(updates);
                            },
                            "apply vertex updates");
                }
            }
        } catch (InterruptedException | RejectedExecutionException e) {
            // The task is ending.
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void waitForRoom() throws InterruptedException {
        while (!free.tryAcquire(CLOSE_CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (isClosed) {
                throw new RejectedExecutionException();
            }
        }
    }

    private void fail(RuntimeException cause) {
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
        reader.wakeUp();
        thread.join(CLOSE_MILLIS);
    }
}
