package io.cutwater.deploy.cluster.job;

import io.cutwater.kafka.command.PlanTopics;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.JobCommand;
import io.cutwater.state.repartition.live.RepartitionStatus;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sends commands to a running job through its topics, and follows them. */
public final class JobControl implements AutoCloseable {
    private final PlanTopics plans;
    private final Topics topics;
    private final Duration patience;
    private final LongSupplier nanoTime;

    /**
     * @param client further settings of the Kafka client, with references instead of secrets
     * @param patience how long the job may be silent
     * @param nanoTime a monotonic clock, in nanoseconds
     * @throws BrokerException if the broker is unreachable; the message is meant for users
     */
    public JobControl(
            String bootstrapServers,
            Map<String, String> client,
            Topics topics,
            Duration patience,
            LongSupplier nanoTime) {
        this.topics = topics;
        this.patience = patience;
        this.nanoTime = nanoTime;
        try {
            plans = new PlanTopics(bootstrapServers, client, topics);
        } catch (TopicMissingException e) {
            throw new BrokerException(
                    "topic %s does not exist at %s; check --bootstrap-servers and --topic-prefix, and that the job"
                                    .formatted(topics.plans(), bootstrapServers)
                            + " runs with one assigner",
                    e);
        }
    }

    /**
     * Starts a re-partitioning, or follows the one that has the id already, to its end.
     *
     * @param seen receives its status, a few times per second at most
     * @return its final status
     * @throws BrokerException if the broker is unreachable, the job is silent for too long, or the id belongs to
     *     another command; the message is meant for users
     */
    public RepartitionStatus repartition(JobCommand.Repartition command, Consumer<RepartitionStatus> seen) {
        RepartitionStatus known = plans.status(command.id());
        if (known == null) {
            plans.send(command);
        } else {
            requireOf(command, known);
        }
        RepartitionStatus end = follow(command.id(), seen);
        requireOf(command, end); // another one may have sent the id at the same time
        return end;
    }

    private static void requireOf(JobCommand.Repartition command, RepartitionStatus status) {
        String conflict = command.conflict(status);
        if (!conflict.isEmpty()) {
            throw new BrokerException(conflict);
        }
    }

    /**
     * Aborts a re-partitioning.
     *
     * @param id null for the one that runs
     * @return its final status
     * @throws BrokerException if the broker is unreachable or no re-partitioning runs; the message is meant for users
     */
    public RepartitionStatus abort(@Nullable String id, Consumer<RepartitionStatus> seen) {
        RepartitionStatus running = id == null ? plans.running() : plans.status(id);
        if (running == null) {
            throw new BrokerException(
                    id == null
                            ? "topic %s has no running re-partitioning".formatted(topics.plans())
                            : "topic %s has no re-partitioning %s".formatted(topics.plans(), id));
        }
        if (running.state().isOver()) {
            throw new BrokerException("re-partitioning %s has already ended: %s"
                    .formatted(running.id(), running.state().label()));
        }
        plans.send(new JobCommand.Abort(running.id()));
        return follow(running.id(), seen);
    }

    private RepartitionStatus follow(String id, Consumer<RepartitionStatus> seen) {
        long lastNews = nanoTime.getAsLong();
        RepartitionStatus status = plans.status(id);
        while (status == null || !status.state().isOver()) {
            if (plans.poll().contains(id)) {
                lastNews = nanoTime.getAsLong();
            } else if (nanoTime.getAsLong() - lastNews > patience.toNanos()) {
                throw silent(id, status);
            }
            status = plans.status(id);
            if (status != null) {
                seen.accept(status);
            }
        }
        return status;
    }

    private BrokerException silent(String id, @Nullable RepartitionStatus last) {
        return new BrokerException(
                last == null
                        ? ("no job has answered on topic %s for %d s; is it running? It executes the command when it comes"
                                        + " back; follow it with --id %s")
                                .formatted(topics.plans(), patience.toSeconds(), id)
                        : ("the job has not reported re-partitioning %s for %d s, it was %s; is it running? It continues when"
                                        + " it comes back; follow it with --id %s")
                                .formatted(
                                        id, patience.toSeconds(), last.state().label(), id));
    }

    @Override
    public void close() {
        plans.close();
    }
}
