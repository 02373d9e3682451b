package io.cutwater.trainer.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Lets threads do things in the order of numbers from 0. After a failure no thread has its turn. Thread-safe. */
final class Turns {
    private long next;
    private @Nullable String failure;

    /** Something done in its turn. */
    @FunctionalInterface
    interface Turn<T> {
        T take() throws IOException;
    }

    /**
     * Does something after all lower numbers.
     *
     * @throws IllegalStateException if an earlier turn failed; the message is meant for users
     */
    synchronized <T> T take(long number, Turn<T> turn) throws IOException, InterruptedException {
        while (failure == null && number > next) {
            wait();
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        if (number < next) {
            throw new IllegalStateException("group %d of mini-batches is asked for again".formatted(number));
        }
        T result = turn.take();
        next++;
        notifyAll();
        return result;
    }

    /** Makes all further turns fail; the first reason counts. */
    synchronized void fail(String reason) {
        if (failure == null) {
            failure = reason;
            notifyAll();
        }
    }
}
