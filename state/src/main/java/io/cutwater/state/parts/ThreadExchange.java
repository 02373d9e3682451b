package io.cutwater.state.parts;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Exchanges of parts that run in threads of one process. */
public final class ThreadExchange {
    private static final long CLOSE_SECONDS = 30;

    private final int parts;
    private final long[][][] sent; // by sender, then receiver
    private final long[][][] received; // by receiver, then sender
    private int waiting;
    private long round;
    private @Nullable Throwable failure;

    /** @param parts P */
    public ThreadExchange(int parts) {
        this.parts = parts;
        sent = new long[parts][][];
        received = new long[parts][parts][];
    }

    /** The work of one part. */
    @FunctionalInterface
    public interface Work<T> {
        T run(Exchange exchange) throws IOException, InterruptedException;
    }

    /**
     * Runs the work of all parts, each in a thread of its own.
     *
     * @return the results by part
     * @throws IOException if a part has failed
     * @throws InterruptedException if the calling thread was interrupted; then all parts have ended, too
     */
    public static <T> List<T> run(int parts, Work<T> work) throws IOException, InterruptedException {
        ThreadExchange all = new ThreadExchange(parts);
        ExecutorService threads = Executors.newFixedThreadPool(parts);
        try {
            List<Future<T>> results = new ArrayList<>();
            for (int part = 0; part < parts; part++) {
                Exchange exchange = all.of(part);
                results.add(threads.submit(() -> {
                    try {
                        return work.run(exchange);
                    } catch (Throwable e) {
                        all.fail(e);
                        throw e;
                    }
                }));
            }
            List<T> values = new ArrayList<>();
            for (Future<T> result : results) {
                values.add(result.get());
            }
            return values;
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(all.failure(), e);
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof IOException io ? io : new IOException("a part has failed: " + cause, cause);
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Returns the exchange of one part, for its thread. */
    public Exchange of(int part) {
        return new Exchange() {
            @Override
            public int parts() {
                return parts;
            }

            @Override
            public int part() {
                return part;
            }

            @Override
            public long[][] exchange(long[][] messages) throws IOException {
                return ThreadExchange.this.exchange(part, messages);
            }
        };
    }

    private synchronized long[][] exchange(int part, long[][] messages) throws IOException {
        long now = round;
        sent[part] = messages;
        if (++waiting == parts) {
            for (int to = 0; to < parts; to++) {
                received[to] = new long[parts][];
                for (int from = 0; from < parts; from++) {
                    received[to][from] = sent[from][to];
                }
            }
            waiting = 0;
            round++;
            notifyAll();
        }
        try {
            while (round == now && failure == null) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
        }
        if (failure != null) {
            throw new IOException("another part has failed: " + failure.getMessage(), failure);
        }
        return received[part];
    }

    /** Ends all exchanges with an exception, because a part has failed. */
    public synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        notifyAll();
    }
}
