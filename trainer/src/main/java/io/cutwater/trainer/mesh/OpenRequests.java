package io.cutwater.trainer.mesh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a worker has asked and told the coordinator on one connection, and is not answered yet. Thread-safe. */
final class OpenRequests {
    private final Map<Long, CompletableFuture<ByteBuffer>> fetched = new HashMap<>();
    private final Map<Long, Runnable> told = new HashMap<>();
    private long messages;
    private @Nullable String failure;

    /** Returns the future answer to a question. */
    synchronized CompletableFuture<ByteBuffer> fetch(long number) {
        if (failure != null) {
            return CompletableFuture.failedFuture(new IOException(failure));
        }
        return fetched.computeIfAbsent(number, unknown -> new CompletableFuture<>());
    }

    /**
     * Returns the number of a new message; 0 if the connection has failed.
     *
     * @param ifLost called if the connection fails before the coordinator has the message
     */
    synchronized long tell(Runnable ifLost) {
        if (failure != null) {
            return 0;
        }
        told.put(++messages, ifLost);
        return messages;
    }

    void content(long number, ByteBuffer body) {
        CompletableFuture<ByteBuffer> answer;
        synchronized (this) {
            answer = fetched.remove(number);
        }
        if (answer != null) {
            answer.complete(body);
        }
    }

    synchronized void taken(long number) {
        told.remove(number);
    }

    /** Makes all fail that is open, and all that follows; the first sentence counts. */
    void fail(String sentence) {
        List<CompletableFuture<ByteBuffer>> answers;
        List<Runnable> lost;
        synchronized (this) {
            failure = failure == null ? sentence : failure;
            answers = List.copyOf(fetched.values());
            lost = List.copyOf(told.values());
            fetched.clear();
            told.clear();
        }
        answers.forEach(answer -> answer.completeExceptionally(new IOException(sentence)));
        lost.forEach(Runnable::run);
    }
}
