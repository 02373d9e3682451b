package io.cutwater.flink.connector.restore;

import io.cutwater.kafka.run.JobOwnership;
import java.util.Map;
import org.apache.flink.metrics.MetricGroup;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job whose topics another job has claimed. Two jobs that write the same topics would abort each other's
 * transactions, and each would place the same edges again. Does nothing for a job that claims no topics.
 */
public final class OwnerCheck implements AutoCloseable {
    private static final String JOB_ID = "<job_id>";

    private final @Nullable JobOwnership ownership;
    private final String topic;

    /**
     * Connects to the broker.
     *
     * @param metrics of the task, which contain the id of the job
     * @throws io.cutwater.kafka.topic.BrokerException if the broker is unreachable; the message is meant for users
     */
    public OwnerCheck(String bootstrapServers, Map<String, String> properties, RestoreRule rule, MetricGroup metrics) {
        topic = rule.ownerTopic() == null ? "" : rule.ownerTopic();
        ownership = rule.ownerTopic() == null
                ? null
                : new JobOwnership(
                        bootstrapServers,
                        properties,
                        rule.ownerTopic(),
                        rule.run(),
                        metrics.getAllVariables().getOrDefault(JOB_ID, "unknown"));
    }

    /**
     * Claims the topics if this run of the job has not done so.
     *
     * @throws org.apache.flink.runtime.execution.SuppressRestartsException if another job owns them
     * @throws io.cutwater.kafka.topic.BrokerException if the broker does not answer
     */
    public void require() {
        if (ownership == null) {
            return;
        }
        JobOwnership.Owner other = ownership.otherOwner();
        if (other != null) {
            throw FinalFailure.of(("job %s took the topics over at %s (topic %s, owner %s, epoch %d), so this one ends."
                            + " Only one job may write them: stop that one, and resume it, to go on elsewhere")
                    .formatted(other.job(), other.since(), topic, other.id(), other.epoch()));
        }
    }

    @Override
    public void close() {
        if (ownership != null) {
            ownership.close();
        }
    }
}
