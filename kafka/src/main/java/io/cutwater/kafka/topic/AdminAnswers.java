package io.cutwater.kafka.topic;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;

/** Waits for the answers of a broker, and turns errors into messages for users. */
record AdminAnswers(String bootstrapServers) {
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /**
     * Waits for an answer.
     *
     * @param work the verb phrase of the message "cannot …"
     * @throws BrokerException if the broker fails or does not answer; its error is the cause
     */
    <T> T await(String work, KafkaFuture<T> future) {
        try {
            return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new BrokerException(
                    "cannot %s: the Kafka broker at %s does not answer within %d s"
                            .formatted(work, bootstrapServers, TIMEOUT.toSeconds()),
                    e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new BrokerException(
                    "cannot %s at the Kafka broker %s: %s%s"
                            .formatted(
                                    work,
                                    bootstrapServers,
                                    rootMessage(cause),
                                    cause instanceof AuthorizationException
                                            ? " Give this user the right, or use another one with --kafka-properties"
                                            : ""),
                    cause);
        } catch (InterruptedException e) {
            throw interrupted(work, e);
        }
    }

    static BrokerException interrupted(String work, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new BrokerException("interrupted while trying to " + work, e);
    }

    static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
