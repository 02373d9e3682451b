package io.cutwater.trainer.live;

import io.cutwater.kafka.run.IncompleteRunException;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.BrokerUnavailableException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Repeats requests to a broker while the broker, a topic or the answer is missing, up to a time limit. */
final class RetryingAdmin implements Closeable {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(300);

    private final TopicShardsOptions options;
    private final TopicShardsListener listener;
    private @Nullable TopicAdmin connected;

    RetryingAdmin(TopicShardsOptions options, TopicShardsListener listener) {
        this.options = options;
        this.listener = listener;
    }

    /** A request to the broker. */
    interface Request<T> {
        /** Returns null if there is no answer yet. */
        @Nullable T ask(TopicAdmin admin) throws IOException;
    }

    private synchronized TopicAdmin admin() {
        TopicAdmin admin = connected;
        if (admin == null) {
            admin = TopicAdmin.connect(options.bootstrapServers(), options.properties());
            connected = admin;
        }
        return admin;
    }

    /**
     * Repeats a request until it is answered.
     *
     * @param notYet why there is no answer while the request returns null
     * @throws IOException if the time limit ends, or the request cannot be answered; the message says why
     */
    <T> T ask(String notYet, Request<T> request) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String told = "";
        while (true) {
            String missing = notYet;
            try {
                T answer = request.ask(admin());
                if (answer != null) {
                    return answer;
                }
            } catch (TopicMissingException | BrokerUnavailableException e) {
                missing = String.valueOf(e.getMessage());
            } catch (IncompleteRunException e) {
                missing = unlessOver(e);
            } catch (BrokerException e) {
                missing = unlessReachable(e);
            }
            if (System.nanoTime() - start >= options.patience().toNanos()) {
                throw new IOException(missing);
            }
            if (!told.equals(missing)) {
                listener.waiting(missing);
                told = missing;
            }
            Thread.sleep(LOOK_AGAIN.toMillis());
        }
    }

    /** Returns why the shards are not complete yet. */
    private static String unlessOver(IncompleteRunException incomplete) throws IOException {
        if (incomplete.mayEnd()) {
            return String.valueOf(incomplete.getMessage());
        }
        throw new IOException(incomplete.getMessage(), incomplete);
    }

    /** Returns why the broker is unreachable; rethrows the failure if it is reachable. */
    private String unlessReachable(BrokerException failure) throws IOException, InterruptedException {
        close();
        if (!Thread.currentThread().isInterrupted()) {
            try {
                admin();
            } catch (BrokerUnavailableException e) {
                return String.valueOf(e.getMessage());
            }
        }
        throw failed(failure);
    }

    /**
     * Returns the failure of a request that is not repeated.
     *
     * @throws InterruptedException if the thread was interrupted, which failed the request
     */
    static IOException failed(BrokerException e) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return new IOException(e.getMessage(), e);
    }

    @Override
    public synchronized void close() {
        if (connected != null) {
            connected.close();
            connected = null;
        }
    }
}
